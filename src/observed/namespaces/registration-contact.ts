import {
  sendRegistrationEmailCode,
  sendRegistrationPhoneCode,
  verifyRegistrationEmail,
  verifyRegistrationPhone,
} from '../../contract/observed/registration-contact.js';
import type {
  RegistrationStep,
  SendEmailCodeInput,
  SendPhoneCodeInput,
  SentEmailCode,
  VerifiedEmail,
  VerifyEmailInput,
  VerifyPhoneInput,
} from '../../contract/observed/registration-types.js';
import type { PlatformPromise, RequestOptions, SuccessResult } from '../../index.js';
import { ObservedCalls } from '../calls.js';

/**
 * The first steps of a registration: an address and a phone, each verified with a code. Certainty
 * of paths and bodies: high (two clients and the vendor page); of error statuses: low.
 *
 * @experimental
 */
export class RegistrationContactCalls extends ObservedCalls {
  /**
   * Sends a code to an e-mail address.
   *
   * Endpoint: `POST /v1/auth/register/email/send` (observed). Retries: never; another e-mail has
   * another id. Secrets: `email`, `contactVerificationId`. The id is valid for 10 to 15 minutes.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { registration } = observe(client).user;
   * const sent = await registration.sendEmailCode({ email: 'ada@example.com' });
   * ```
   */
  sendEmailCode(
    input: SendEmailCodeInput,
    options?: RequestOptions,
  ): PlatformPromise<SentEmailCode> {
    return this.send(sendRegistrationEmailCode, input, options);
  }

  /**
   * Verifies an e-mail address and creates the account. If the address already has an account, the
   * result has `hasAccount: true` and no `onboardingId`: send the user to login.
   *
   * Endpoint: `POST /v1/auth/register/email/verify` (observed). Retries: never. Secrets: `email`,
   * `password`, `verificationCode`, both ids, `user`. A refusal that mentions an invalid or expired
   * contact verification means: start again with `sendEmailCode`.
   *
   * @experimental
   * @throws ApiError when the code is wrong or expired
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { hasAccount, onboardingId } = await observe(client).user.registration.verifyEmail({
   *   email: 'ada@example.com',
   *   password: 'a secret',
   *   verificationCode: '123456',
   *   contactVerificationId: 'the id of sendEmailCode',
   *   countryOfResidence: 'DE',
   *   allowMarketing: false,
   *   allowSms: false,
   * });
   * ```
   */
  verifyEmail(input: VerifyEmailInput, options?: RequestOptions): PlatformPromise<VerifiedEmail> {
    return this.send(verifyRegistrationEmail, input, options);
  }

  /**
   * Sends a code to a phone number.
   *
   * Endpoint: `POST /v1/auth/register/phone/send` (observed). Retries: never; each message costs
   * money. Secrets: `phoneNumber`, `contactVerificationId`. The sources disagree about a plus sign in
   * `phoneCountryCode`: it is sent as you pass it.
   *
   * @experimental
   * @throws OperationRejectedError on `success: false`
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(client).user.registration.sendPhoneCode({
   *   phoneCountryCode: '+49',
   *   phoneNumber: '1511234567',
   *   contactVerificationId: 'the id of sendEmailCode',
   * });
   * ```
   */
  sendPhoneCode(
    input: SendPhoneCodeInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(sendRegistrationPhoneCode, input, options);
  }

  /**
   * Verifies a phone number.
   *
   * Endpoint: `POST /v1/auth/register/phone/verify` (observed). Retries: never; the code may be
   * used up. Secrets: `phoneNumber`, `verificationCode`, both ids, `user`.
   *
   * @experimental
   * @throws ApiError when the code is wrong or expired
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(client).user.registration.verifyPhone({
   *   phoneCountryCode: '+49',
   *   phoneNumber: '1511234567',
   *   contactVerificationId: 'the id of sendEmailCode',
   *   onboardingId: 'the id of verifyEmail',
   *   verificationCode: '123456',
   * });
   * ```
   */
  verifyPhone(
    input: VerifyPhoneInput,
    options?: RequestOptions,
  ): PlatformPromise<RegistrationStep> {
    return this.send(verifyRegistrationPhone, input, options);
  }
}
