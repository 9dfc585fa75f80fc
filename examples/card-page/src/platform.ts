import { type AccessSession, CardPlatformClient } from 'card-platform-sdk';

/**
 * The client of this page. The requests go to the page's own server, which adds the client key: a
 * key in a page is a key that anybody can read.
 */
export const platform = new CardPlatformClient({
  baseUrl: `${location.origin}/platform`,
  clientKey: 'added-by-the-server',
});

/** What every part of the page works with. */
export type App = {
  /** The client of the user. Its access token is in memory alone: a reload asks to log in again. */
  user: CardPlatformClient;
  session: AccessSession;
  /** Tells the other parts that money or wallets have changed, and hears of it. */
  changes: EventTarget;
};

/** Opens the page for a user. */
export function openApp(session: AccessSession): App {
  const user = platform.withAccessToken(session.accessToken);
  return { user, session, changes: new EventTarget() };
}

/** Runs something whenever money or wallets have changed. */
export function onChange({ changes }: App, work: () => void): void {
  changes.addEventListener('change', work);
}

/** Money or wallets have changed. */
export function tellChange({ changes }: App): void {
  changes.dispatchEvent(new Event('change'));
}
