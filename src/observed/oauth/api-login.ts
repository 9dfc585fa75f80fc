import {
  type AuthorizedOAuth,
  type AuthorizeOAuthInput,
  authorizeOAuth,
  type ExchangeOAuthCodeInput,
  exchangeOAuthCode,
  type InitiatedOAuth,
  type InitiateOAuthInput,
  initiateOAuth,
  type OAuthTokens,
} from '../../contract/observed/oauth.js';
import { ConfigurationError, call, type Endpoint, type Sender } from '../../endpoints/index.js';
import { grantError, stateMismatch } from './oauth-error.js';
import { createPkce, createState, type RandomSource } from './pkce.js';
import { type OAuthSessionTokens, type Region, sessionTokens } from './session-tokens.js';

/** Options of {@link startOAuthLogin}. */
export type OAuthLoginOptions = RandomSource & {
  /** The id of your client; one observed client sends its client key. */
  clientId: string;
  /** A registered return address. In API mode nothing opens it. */
  redirectUri: string;
  /** The region of the user. Default: the client's. */
  region?: Region | undefined;
  /** Sent in the URL, as one client does: never pass a real secret. Default: not sent. */
  clientSecret?: string | undefined;
  /** Declarations to use instead, for example with other credentials. */
  endpoints?:
    | {
        initiate?: Endpoint<InitiateOAuthInput, InitiatedOAuth> | undefined;
        authorize?: Endpoint<AuthorizeOAuthInput, AuthorizedOAuth> | undefined;
        exchangeCode?: Endpoint<ExchangeOAuthCodeInput, OAuthTokens> | undefined;
      }
    | undefined;
};

/** A login with e-mail and password, or the last step of a registration. */
export type LoginToken = {
  accessToken?: string | null | undefined;
  userId?: string | null | undefined;
  phase?: string | null | undefined;
};

/** A started login. */
export type OAuthLogin = {
  /**
   * Turns the login of the user into tokens for `sessions.signIn`. Can be called once: if it fails,
   * call `startOAuthLogin` again, and pass the same login. The login's own token is only used for
   * this, so do not store it.
   *
   * @throws OAuthError with code `oauth_state_mismatch`, and no code was used; with `oauth_refused`
   *   when the service refused the code
   * @throws ConfigurationError when the login has no token, because onboarding is unfinished, or when
   *   `finish` has been called before
   * @throws AuthenticationError, PermissionError when the service refused the token of the login, and
   *   all other errors of its two requests
   */
  readonly finish: (login: LoginToken) => Promise<OAuthSessionTokens>;
};

/** How long observed clients wait for a grant, in milliseconds. */
export const GRANT_TIMEOUT_MS = 30_000;

function requireLoginToken({ phase, accessToken }: LoginToken): string {
  if (phase) {
    throw new ConfigurationError(
      'login',
      'the login ended in onboarding (phase is set). Finish onboarding, then log in again.',
    );
  }
  if (accessToken) return accessToken;
  throw new ConfigurationError(
    'login',
    'the login has no access token. Pass the result of auth.login.',
  );
}

/**
 * Starts a login whose session can be refreshed, for an app that asks for the password itself. Then
 * log the user in, and pass the login to `finish` within 10 minutes.
 *
 * Endpoints: `GET /v1/auth/oauth/authorize/initiate`, then `POST /v1/auth/oauth/authorize` and
 * `POST /v1/auth/oauth/token`. Two clients and the vendor page; certainty high.
 *
 * @experimental
 * @throws ConfigurationError when there is no secure source of random bytes, and the errors of the
 *   first request
 * @example
 * ```ts
 * import { startOAuthLogin } from 'card-platform-sdk/observed';
 *
 * const oauth = await startOAuthLogin(client, {
 *   clientId: 'your-client-key',
 *   redirectUri: 'https://app.example/signed-in',
 * });
 * const login = await client.auth.login({ email: 'ada@example.com', password: 'a secret' });
 * const tokens = await oauth.finish(login);
 * console.log(tokens.kind); // oauth
 * ```
 */
export async function startOAuthLogin(
  client: Sender,
  options: OAuthLoginOptions,
): Promise<OAuthLogin> {
  const { clientId, redirectUri, region, clientSecret, endpoints = {} } = options;
  const {
    initiate = initiateOAuth,
    authorize = authorizeOAuth,
    exchangeCode = exchangeOAuthCode,
  } = endpoints;
  const [{ verifier, challenge }, state] = await Promise.all([
    createPkce(options),
    createState(options),
  ]);
  const started = await call(
    client,
    initiate,
    { clientId, redirectUri, state, codeChallenge: challenge, clientSecret },
    { region },
  );
  let isUsed = false;

  async function finish(login: LoginToken): Promise<OAuthSessionTokens> {
    const accessToken = requireLoginToken(login);
    if (isUsed) {
      throw new ConfigurationError(
        'finish',
        'finish can be called only once. Call startOAuthLogin again.',
      );
    }
    isUsed = true;
    const authorized = await call(
      client,
      authorize,
      { token: started.token },
      { region, accessToken },
    );
    if (authorized.state !== state) throw stateMismatch();
    try {
      const { code } = authorized;
      const input = { code, codeVerifier: verifier, redirectUri };
      const grant = { region, timeout: GRANT_TIMEOUT_MS };
      const tokens = await call(client, exchangeCode, input, grant);
      return sessionTokens(tokens, 'oauth', login.userId ?? undefined);
    } catch (error) {
      throw grantError(error);
    }
  }

  return Object.freeze({ finish });
}
