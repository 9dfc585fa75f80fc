import { CardPlatformClient, type FetchFunction } from '../../src/index.js';
import { startOAuthLogin } from '../../src/observed/oauth/api-login.js';
import { finishOAuth2Login, startOAuth2Login } from '../../src/observed/oauth/page-login.js';
import { type RenewOAuthOptions, renewOAuth } from '../../src/observed/oauth/renew-oauth.js';
import { createSessions, type SessionsOptions } from '../../src/sessions/index.js';
import { memoryStore } from '../sessions/support.js';
import { FakeClock } from '../support/fake-clock.js';
import { REDIRECT, setUpObserved } from './support.js';

export const HOUR_MS = 3_600_000;

/** A path of a request, and its replacement behaviour. */
export type Interception = (path: string, send: () => Promise<Response>) => Promise<Response>;

/** Creates an app with a phone's fetch, whose failures prove nothing, and its clock. */
export async function setUpApp(
  options: Partial<SessionsOptions> = {},
  renewal: RenewOAuthOptions = {},
) {
  const clock = new FakeClock({ auto: false });
  const { mock, ada, observed } = await setUpObserved(
    { card: 'ACTIVE' },
    { startsAt: clock.now() },
  );
  let intercept: Interception = (_, send) => send();
  const fetch: FetchFunction = (url, init) =>
    intercept(new URL(url).pathname, () => mock.fetch(url, init));
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    clientKey: mock.credentials.clientKey,
    fetch,
    retry: false,
  });
  const store = memoryStore();
  const openSessions = () =>
    createSessions({ store, clock, renew: renewOAuth(client, renewal), ...options });
  const sessions = openSessions();
  return {
    ...{ mock, ada, observed, platform: client, store, clock, sessions, openSessions },
    advance: (ms: number) => {
      clock.advance(ms);
      mock.advance(`${ms / 1000} seconds`);
    },
    setIntercept: (next: Interception) => {
      intercept = next;
    },
    /** The refresh tokens that reached the service, in order. */
    sentRefreshTokens: () =>
      mock.requests
        .filter(({ operation }) => operation?.endsWith('.refresh'))
        .map(({ body }) => String(Object(body)['refresh_token'])),
  };
}

export type App = Awaited<ReturnType<typeof setUpApp>>;

/** Logs in with e-mail and password, as the first family requires. */
export async function logInWithApi({ platform: client, sessions, ada, mock }: App) {
  const { clientKey: clientId } = mock.credentials;
  const oauth = await startOAuthLogin(client, { clientId, redirectUri: REDIRECT });
  const login = await client.auth.login({ email: ada.email, password: ada.password });
  return sessions.signIn(await oauth.finish(login), { region: 'global' });
}

/** Logs in on the page of the second family. */
export async function logInWithPage({ platform: client, sessions, ada, observed, mock }: App) {
  const store = memoryStore();
  const { url } = await startOAuth2Login({
    ...{
      baseUrl: mock.baseUrl,
      clientId: mock.credentials.clientKey,
      redirectUri: REDIRECT,
      store,
    },
  });
  const redirect = observed.signIn(url, ada);
  const { tokens, region } = await finishOAuth2Login(client, redirect, {
    store,
    region: 'global',
  });
  return sessions.signIn(tokens, { region });
}
