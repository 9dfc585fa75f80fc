import { CardPlatformClient, type RawRequest } from 'card-platform-sdk';

/**
 * The client of this page. Its requests go to the page's own server, whose proxy adds the client key
 * and the user's access token: a page has neither.
 */
export const client = new CardPlatformClient({
  baseUrl: `${location.origin}/platform`,
  throughProxy: true,
});

/** The state that all parts of the page share. */
export type App = {
  /** The client of the user: the session is in a cookie that only the server reads. */
  userClient: CardPlatformClient;
  /** Emits `change` when money or wallets have changed. */
  changes: EventTarget;
};

/** The server's response to a login. */
export type PageSession = { phase?: string; verificationState?: string };

/** Logs in at the page's own server, which keeps the access token. */
export async function logIn(
  login: { email: string; password: string },
  otpCode: string | undefined,
): Promise<PageSession> {
  const code = otpCode === undefined ? {} : { otpCode };
  const request: RawRequest<PageSession> = { body: { ...login, ...code } };
  return client.request('POST', '/session', request);
}

/** Creates the state for a user. */
export function openApp(): App {
  return { userClient: client, changes: new EventTarget() };
}

/** Runs a function whenever money or wallets have changed. */
export function onChange({ changes }: App, work: () => void): void {
  changes.addEventListener('change', work);
}

/** Reports that money or wallets have changed. */
export function notifyChange({ changes }: App): void {
  changes.dispatchEvent(new Event('change'));
}
