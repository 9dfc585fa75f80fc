import {
  type LoginInput,
  type LoginResult,
  login,
  type SendLoginOtpInput,
  sendLoginOtp,
} from '../contract/auth.js';
import type { SuccessResult } from '../contract/common.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** Login. A login never changes its client, because one server serves many users. */
export class AuthResource extends Resource {
  /**
   * Logs a user in and returns an access token that is valid for 6 hours. Never sent again once it
   * may have arrived: failed logins may lock the account. Check `phase` before you use the session:
   * it is set while the user has not finished onboarding.
   *
   * Endpoint: `POST /v1/auth/login`
   *
   * @throws OtpRequiredError when the user must enter a one-time password: see {@link sendLoginOtp};
   *   with code `invalid_otp` when the service refused the one that the call sent
   * @throws ApiError with code `invalid_credentials`, `invalid_otp`, `account_locked` or
   *   `account_disabled`, if the service's message is a known one; otherwise see `serverMessage`
   * @example
   * ```ts
   * const login = await client.auth.login({ email: 'ada@example.com', password: 'a secret' });
   * if (login.phase) {
   *   console.log(`The user continues with onboarding at ${login.phase}.`);
   * } else {
   *   const userClient = client.withAccessToken(login.accessToken);
   *   console.log((await userClient.card.status()).status);
   * }
   * ```
   */
  login(input: LoginInput, options?: RequestOptions): PlatformPromise<LoginResult> {
    return this.send(login, input, options);
  }

  /**
   * Sends a one-time password to the user's phone. Log in again with it as `otpCode`.
   *
   * Endpoint: `POST /v1/auth/login/otp` (preview)
   *
   * @experimental
   * @throws OperationRejectedError when the service sent no one-time password
   * @throws ApiError with code `no_phone_number`
   * @example
   * ```ts
   * import { OtpRequiredError } from 'card-platform-sdk';
   *
   * try {
   *   await client.auth.login({ email: 'ada@example.com', password: 'a secret' });
   * } catch (error) {
   *   if (!(error instanceof OtpRequiredError)) throw error;
   *   await client.auth.sendLoginOtp(error.otpRequest);
   * }
   * ```
   */
  sendLoginOtp(input: SendLoginOtpInput, options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(sendLoginOtp, input, options);
  }
}
