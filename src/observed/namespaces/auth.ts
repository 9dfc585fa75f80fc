import { logout } from '../../contract/observed/logout.js';
import {
  type ConfirmPasswordResetInput,
  confirmPasswordReset,
  type RequestPasswordResetInput,
  requestPasswordReset,
  type VerifiedPasswordReset,
  type VerifyPasswordResetInput,
  verifyPasswordReset,
} from '../../contract/observed/password-reset.js';
import type { Sender } from '../../endpoints/index.js';
import type { PlatformPromise, RequestOptions, SuccessResult } from '../../index.js';
import { ObservedCalls, type ObservedOverrides } from '../calls.js';
import { OAuthCalls } from './oauth.js';
import { OAuth2Calls } from './oauth2.js';

/**
 * A forgotten password. No call carries a bearer token.
 *
 * @experimental
 */
export class PasswordResetCalls extends ObservedCalls {
  /**
   * Sends a code for a new password to an e-mail address. The result is the same for unknown
   * addresses, so show the user no difference either.
   *
   * Endpoint: `POST /v1/auth/password/reset/request` (observed). Certainty medium (one client).
   * Retries: never; another e-mail may make the first code invalid. Secret: `email`.
   *
   * @experimental
   * @throws OperationRejectedError on `success: false`
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(client).auth.passwordReset.request({ email: 'ada@example.com' });
   * ```
   */
  request(
    input: RequestPasswordResetInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(requestPasswordReset, input, options);
  }

  /**
   * Exchanges the code of the mail for a single-use token.
   *
   * Endpoint: `POST /v1/auth/password/reset/verify` (observed). Certainty medium (one client).
   * Retries: never; the code may be used up. Secrets: `email`, `code`, `token`.
   *
   * @experimental
   * @throws BadRequestError, UnprocessableError when the code is wrong or expired
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { token } = await observe(client).auth.passwordReset.verify({
   *   email: 'ada@example.com',
   *   code: '123456',
   * });
   * ```
   */
  verify(
    input: VerifyPasswordResetInput,
    options?: RequestOptions,
  ): PlatformPromise<VerifiedPasswordReset> {
    return this.send(verifyPasswordReset, input, options);
  }

  /**
   * Sets the new password.
   *
   * Endpoint: `POST /v1/auth/password/reset/confirm` (observed). Certainty medium (one client).
   * Retries: never; after an `unknown` outcome, log in with the new password. Secrets: all fields.
   *
   * @experimental
   * @throws BadRequestError, UnprocessableError when the token is expired or used
   * @throws OperationRejectedError on `success: false`
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(client).auth.passwordReset.confirm({
   *   token: 'the token of verify',
   *   password: 'a new secret',
   * });
   * ```
   */
  confirm(
    input: ConfirmPasswordResetInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(confirmPasswordReset, input, options);
  }
}

/**
 * OAuth sessions, logout and forgotten passwords.
 *
 * @experimental
 */
export class ObservedAuthCalls extends ObservedCalls {
  /** OAuth in API mode. */
  readonly oauth: OAuthCalls;
  /** OAuth with a hosted sign-in page. */
  readonly oauth2: OAuth2Calls;
  /** A forgotten password. */
  readonly passwordReset: PasswordResetCalls;

  /** @internal */
  constructor(client: Sender, overrides: ObservedOverrides) {
    super(client, overrides);
    this.oauth = new OAuthCalls(client, overrides);
    this.oauth2 = new OAuth2Calls(client, overrides);
    this.passwordReset = new PasswordResetCalls(client, overrides);
  }

  /**
   * Ends the access token at once. Delete your own session first. For OAuth sessions, the vendor
   * page says to use `auth.oauth.revoke` instead.
   *
   * Endpoint: `POST /v1/auth/logout` (observed). Certainty high (two clients and the vendor page).
   * Retries: idempotent; a 401 after an unclear first try means done (`resolvedByRetry`). A 401
   * does not make the client renew the token. One client sends `{}`: `override` it with
   * `sendsBody: true`.
   *
   * @experimental
   * @throws AuthenticationError when the token is no longer valid
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(userClient).auth.logout();
   * ```
   */
  logout(options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(logout, {}, options);
  }
}
