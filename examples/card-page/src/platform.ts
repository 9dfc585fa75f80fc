import { type AccessSession, CardPlatformClient } from 'card-platform-sdk';

/**
 * The client of this page. Its requests go to the page's own server, which adds the client key:
 * anybody can read a key in a page.
 */
export const platform = new CardPlatformClient({
  baseUrl: `${location.origin}/platform`,
  clientKey: 'added-by-the-server',
});

/** The state that all parts of the page share. */
export type App = {
  /** The client of the user. Its access token is only in memory: a reload requires a new login. */
  user: CardPlatformClient;
  session: AccessSession;
  /** Emits `change` when money or wallets have changed. */
  changes: EventTarget;
};

/** Creates the state for a user. */
export function openApp(session: AccessSession): App {
  const user = platform.withAccessToken(session.accessToken);
  return { user, session, changes: new EventTarget() };
}

/** Runs a function whenever money or wallets have changed. */
export function onChange({ changes }: App, work: () => void): void {
  changes.addEventListener('change', work);
}

/** Reports that money or wallets have changed. */
export function notifyChange({ changes }: App): void {
  changes.dispatchEvent(new Event('change'));
}
