import {
  type AuthorizedOAuth,
  authorizeOAuth,
  type ExchangeOAuthCodeInput,
  exchangeOAuthCode,
  type InitiatedOAuth,
  type InitiateOAuthInput,
  initiateOAuth,
  type OAuthTokens,
  type RefreshOAuthInput,
  refreshOAuth,
  revokeOAuth,
} from '../../contract/observed/oauth.js';
import type { PlatformPromise, RequestOptions, SuccessResult } from '../../index.js';
import { ObservedCalls } from '../calls.js';

/**
 * OAuth in API mode: the app itself collects the credentials. Order: `initiate`,
 * `auth.login`, `authorize`, `exchangeCode`, then `refresh`.
 *
 * @experimental
 */
export class OAuthCalls extends ObservedCalls {
  /**
   * Starts an OAuth session.
   *
   * Endpoint: `GET /v1/auth/oauth/authorize/initiate` (observed). Certainty high (two clients and
   * the vendor page); low for the place of a client secret: in the query, in `x-secret-key`, or
   * nowhere, which is the default. Retries: `issues-token`. Secrets: `state`, `clientSecret`,
   * `token`, `url`.
   *
   * @experimental
   * @throws ApiError with the OAuth pair `{ error, error_description }` when a parameter is missing
   * @throws RedirectError without the mode `api`
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { token } = await observe(client).auth.oauth.initiate({
   *   clientId: 'your-client-key',
   *   redirectUri: 'https://app.example/signed-in',
   *   state: 'a-random-text-of-this-attempt',
   *   codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
   * });
   * ```
   */
  initiate(input: InitiateOAuthInput, options?: RequestOptions): PlatformPromise<InitiatedOAuth> {
    return this.send(initiateOAuth, input, options);
  }

  /**
   * Turns a login into an authorization code. Compare `state` with the one that you sent: a
   * difference must stop the login.
   *
   * Endpoint: `POST /v1/auth/oauth/authorize` (observed). Certainty high (two clients and the
   * vendor page). Retries: never; start again with `initiate`. Secrets: both tokens, `code`,
   * `state`, `url`. A 401 does not make the client renew the token.
   *
   * @experimental
   * @param input - `loginToken` is the access token of `auth.login`: it serves only here, so do not
   *   store it
   * @throws AuthenticationError, PermissionError when the login is not valid
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const login = await client.auth.login({ email: 'ada@example.com', password: 'a secret' });
   * if (login.phase) throw new Error(`Finish onboarding first: ${login.phase}`);
   * const { code, state } = await observe(client).auth.oauth.authorize({
   *   token: 'the token of initiate',
   *   loginToken: login.accessToken,
   * });
   * ```
   */
  authorize(
    input: { token: string; loginToken: string },
    options?: RequestOptions,
  ): PlatformPromise<AuthorizedOAuth> {
    const { loginToken, ...rest } = { ...input };
    // Never the token of the client: an absent one becomes a text that the client refuses.
    return this.send(authorizeOAuth, rest, { ...options, accessToken: String(loginToken) });
  }

  /**
   * Exchanges an authorization code for tokens. Their lifetimes are **seconds**.
   *
   * Endpoint: `POST /v1/auth/oauth/token` (observed). Certainty high (two clients and the vendor
   * page); low for `x-secret-key`, which one client sends. Retries: never, the code is single use.
   * Secrets: `code`, `codeVerifier`, both tokens. Use the region of the login.
   *
   * @experimental
   * @throws AuthenticationError, PermissionError when the code or the verifier is wrong
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const tokens = await observe(client).auth.oauth.exchangeCode({
   *   code: 'the code of authorize',
   *   codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
   *   redirectUri: 'https://app.example/signed-in',
   * });
   * ```
   */
  exchangeCode(
    input: ExchangeOAuthCodeInput,
    options?: RequestOptions,
  ): PlatformPromise<OAuthTokens> {
    return this.send(exchangeOAuthCode, input, options);
  }

  /**
   * Exchanges a refresh token for a **new pair** of tokens: store both together, at once. Share one
   * refresh between concurrent calls.
   *
   * Endpoint: `POST /v1/auth/oauth/token` (observed). Certainty high (two clients and the vendor
   * page); low for `x-secret-key`. Retries: never. The old token may be used up even if no response
   * came, and sending it again may end the session. Secrets: all tokens. Do not assume any lifetime
   * of the refresh token other than `refresh_token_expires_in`.
   *
   * @experimental
   * @throws BadRequestError, AuthenticationError, PermissionError: the session is over
   * @throws ConnectionError, TimeoutError, ServerError: the session may still be valid. Send the
   *   token again later only after the outcome `not_sent`, or a 500 or 503 with JSON of the service
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { auth } = observe(client);
   * const tokens = await auth.oauth.refresh({ refreshToken: 'the refresh token' });
   * console.log(tokens.expires_in); // seconds
   * ```
   */
  refresh(input: RefreshOAuthInput, options?: RequestOptions): PlatformPromise<OAuthTokens> {
    return this.send(refreshOAuth, input, options);
  }

  /**
   * Ends all tokens of your client for the user. The account's own login stays.
   *
   * Endpoint: `DELETE /v1/auth/oauth/revoke` (observed). Certainty medium (the vendor page alone).
   * Retries: idempotent; a 401 after an unclear first try means done (`resolvedByRetry`). A 401
   * does not make the client renew the token.
   *
   * @experimental
   * @throws AuthenticationError when the token is no longer valid
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(userClient).auth.oauth.revoke();
   * ```
   */
  revoke(options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(revokeOAuth, {}, options);
  }
}
