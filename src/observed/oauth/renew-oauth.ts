import { type OAuthTokens, refreshOAuth } from '../../contract/observed/oauth.js';
import { type OAuth2Tokens, refreshOAuth2 } from '../../contract/observed/oauth2.js';
import {
  call,
  defineEndpoint,
  type Endpoint,
  isApiError,
  type Sender,
} from '../../endpoints/index.js';
import type { SessionToRenew } from '../../sessions/index.js';
import { GRANT_TIMEOUT_MS } from './api-login.js';
import { grantError } from './oauth-error.js';
import { type OAuthSessionTokens, type Region, sessionTokens } from './session-tokens.js';

/** A read that needs no user. Its result is not used. */
const reachService = /* @__PURE__ */ defineEndpoint({
  id: 'auth.oauth.check',
  method: 'GET',
  path: '/v1/auth/settings',
  credentials: ['clientKey'],
  retry: 'safe',
});

/**
 * Whether a failed request of this runtime proves nothing: its `fetch` reports a missing network and
 * a lost response alike. Pages, their workers and React Native have `navigator.product`; servers do not.
 */
function hidesConnections(): boolean {
  const runtime: { navigator?: { product?: unknown } } = globalThis as object;
  return runtime.navigator?.product !== undefined;
}

/**
 * Sends a harmless read, and throws its error if the service does not respond, or responds with a 5xx.
 * The refresh token is then not sent, so it is not lost.
 */
async function checkConnection(
  client: Sender,
  request: { region: Region; signal: AbortSignal },
): Promise<void> {
  try {
    await call(client, reachService, {}, { ...request, timeout: 10_000, retry: false });
  } catch (error) {
    if (!isApiError(error) || error.status >= 500) throw error;
  }
}

/** The options of {@link renewOAuth}. */
export type RenewOAuthOptions = {
  /**
   * Whether to make sure that the service responds before a refresh token is sent, because a token
   * whose response is lost cannot be sent again. Your own function throws, or returns `false`, while
   * there is no network. Default: `true` in browsers and React Native, where a failed request does not
   * show whether it was sent; the check is `GET /v1/auth/settings`.
   */
  checkConnection?: boolean | ((signal: AbortSignal) => unknown) | undefined;
  /** Declarations to use instead, for example with other credentials. */
  endpoints?:
    | {
        oauth?: Endpoint<{ refreshToken: string }, OAuthTokens> | undefined;
        oauth2?: Endpoint<{ refreshToken: string }, OAuth2Tokens> | undefined;
      }
    | undefined;
};

type Refresh = Endpoint<{ refreshToken: string }, OAuthTokens | OAuth2Tokens>;

/** The part of a session that {@link renewOAuth} uses. */
export type RenewableSession = Pick<
  SessionToRenew,
  'region' | 'kind' | 'signal' | 'takeRefreshToken'
>;

/**
 * Returns the `renew` function of `createSessions` for tokens of {@link startOAuthLogin} and
 * {@link finishOAuth2Login}. It refreshes in the region and in the path family of the session. A
 * refresh token is not sent again after a lost response, but by default it is after a 500 or 503 with
 * a JSON object: see `keepsRefreshToken` of `createSessions`.
 *
 * Endpoints: `POST /v1/auth/oauth/token`, `POST /v1/auth/oauth2/token`. Two clients and the vendor page
 * for the first, certainty high; one client and an interim build for the second, certainty medium.
 *
 * @experimental
 * @param client - needs no access token; none is sent
 * @example
 * ```ts
 * import type { KeyValueStore } from 'card-platform-sdk';
 * import { renewOAuth } from 'card-platform-sdk/observed';
 * import { createSessions } from 'card-platform-sdk/sessions';
 *
 * declare const store: KeyValueStore;
 *
 * export const sessions = createSessions({ store, renew: renewOAuth(client) });
 * ```
 */
export function renewOAuth(
  client: Sender,
  options: RenewOAuthOptions = {},
): (session: RenewableSession) => Promise<OAuthSessionTokens | undefined> {
  const { checkConnection: check = hidesConnections(), endpoints } = options;
  return async ({ region, kind, signal, takeRefreshToken }) => {
    if (check === true) await checkConnection(client, { region, signal });
    else if (check && (await check(signal)) === false) throw new Error('There is no network.');
    const refreshToken = await takeRefreshToken();
    if (refreshToken === undefined) return undefined;
    const family = kind === 'oauth2' ? kind : 'oauth';
    const endpoint: Refresh =
      endpoints?.[family] ?? (family === 'oauth' ? refreshOAuth : refreshOAuth2);
    // Without the signal of the session: a sent request is waited for, and its late result counts.
    const request = { region, timeout: GRANT_TIMEOUT_MS };
    try {
      const response = await call(client, endpoint, { refreshToken }, request);
      return sessionTokens(response, family, undefined, refreshToken);
    } catch (error) {
      throw grantError(error);
    }
  };
}
