import {
  type ExchangeOAuth2CodeInput,
  exchangeOAuth2Code,
  type OAuth2Tokens,
  type RefreshOAuth2Input,
  type RevokeOAuth2Input,
  refreshOAuth2,
  revokeOAuth2,
} from '../../contract/observed/oauth2.js';
import type { PlatformPromise, RequestOptions, SuccessResult } from '../../index.js';
import { ObservedCalls } from '../calls.js';
import { type OAuth2AuthorizeUrlInput, oauth2AuthorizeUrl } from '../oauth2-authorize-url.js';

/**
 * OAuth with a hosted sign-in page. It is not known whether one kind of OAuth can refresh or revoke
 * the tokens of the other, so store with the session which kind issued them.
 *
 * @experimental
 */
export class OAuth2Calls extends ObservedCalls {
  /**
   * Returns the URL of the sign-in page for a browser; see {@link oauth2AuthorizeUrl}. Sends nothing.
   *
   * Page: `GET /v1/auth/oauth2/authorize` (observed). Certainty medium (one client and an interim
   * build of another).
   *
   * The redirect has `code`, and `app_id`, which stands for the region: its values differ per tenant.
   *
   * @experimental
   * @throws RequestValidationError that says which field is wrong
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const url = observe(client).auth.oauth2.authorizeUrl({
   *   baseUrl: 'https://api.example.com',
   *   clientId: 'your-client-key',
   *   redirectUri: 'https://app.example/signed-in',
   *   codeChallenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
   *   state: 'a-random-text-of-this-attempt',
   * });
   * ```
   */
  authorizeUrl(input: OAuth2AuthorizeUrlInput): string {
    return oauth2AuthorizeUrl(input);
  }

  /**
   * Exchanges the code of the sign-in page for tokens. The lifetime is **seconds**.
   *
   * Endpoint: `POST /v1/auth/oauth2/token` (observed). Certainty medium (one client and an interim
   * build of another); low for a form with `clientId` and `redirectUri`, which the interim build
   * sent: `override` it with `bodyEncoding: 'form'`. Retries: never, the code is single use.
   * Secrets: `code`, `codeVerifier`, all tokens. Without `offline_access` there is no refresh
   * token. No error was observed: treat 400, 401 and 403 as an invalid code.
   *
   * @experimental
   * @throws ApiError when the code or the verifier is wrong
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const tokens = await observe(client).auth.oauth2.exchangeCode({
   *   code: 'the code of the redirect',
   *   codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
   * });
   * ```
   */
  exchangeCode(
    input: ExchangeOAuth2CodeInput,
    options?: RequestOptions,
  ): PlatformPromise<OAuth2Tokens> {
    return this.send(exchangeOAuth2Code, input, options);
  }

  /**
   * Exchanges a refresh token for a **new pair** of tokens: store both together, at once.
   *
   * Endpoint: `POST /v1/auth/oauth2/token` (observed). Certainty medium (one client and an interim
   * build of another). Retries: never; see `auth.oauth.refresh`. Secrets: all tokens.
   *
   * @experimental
   * @throws BadRequestError, AuthenticationError, PermissionError: treat the session as over
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { auth } = observe(client);
   * const tokens = await auth.oauth2.refresh({ refreshToken: 'the refresh token' });
   * ```
   */
  refresh(input: RefreshOAuth2Input, options?: RequestOptions): PlatformPromise<OAuth2Tokens> {
    return this.send(refreshOAuth2, input, options);
  }

  /**
   * Revokes one token. The client that does so calls it for both tokens and ignores failures.
   *
   * Endpoint: `POST /v1/auth/oauth2/revoke` (observed). Certainty low (an interim build of one
   * client). No bearer token. The field is `token_hint`, not the standard's `token_type_hint`.
   * Retries: idempotent. A 401 does not mean done, because the token is not the credential of the
   * call. Secret: the token.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { auth } = observe(client);
   * await auth.oauth2.revoke({ token: 'the refresh token', tokenHint: 'refresh_token' });
   * ```
   */
  revoke(input: RevokeOAuth2Input, options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(revokeOAuth2, input, options);
  }
}
