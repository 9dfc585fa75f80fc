import {
  getRegistration,
  getRegistrationSettings,
  startRegistrationVerification,
  submitAddress,
  submitMailingAddress,
  submitPersonalDetails,
} from '../../contract/observed/registration.js';
import type {
  AddressInput,
  MailingAddressInput,
  OnboardingInput,
  PersonalDetailsInput,
  RegisteredUser,
  Registration,
  RegistrationSettings,
  RegistrationStep,
  RegistrationVerification,
} from '../../contract/observed/registration-types.js';
import type { PlatformPromise, RequestOptions } from '../../index.js';
import { RegistrationContactCalls } from './registration-contact.js';

/**
 * Registration of a new user. No call carries a bearer token. The client key and `onboardingId`
 * alone give access to personal data: keep `onboardingId` and `contactVerificationId` out of logs
 * and URLs.
 *
 * Certainty of every path and body: high (two clients and the vendor page); of error statuses: low.
 * Use one region for all steps of a person.
 *
 * @experimental
 */
export class RegistrationCalls extends RegistrationContactCalls {
  /**
   * Returns countries, US states and legal texts. Any part may be null or absent. According to
   * the vendor, they are refreshed hourly.
   *
   * Endpoint: `GET /v1/auth/settings` (observed; not `/v1/auth/register/settings`). Retries: safe.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { countries } = await observe(client).user.registration.settings();
   * ```
   */
  settings(options?: RequestOptions): PlatformPromise<RegistrationSettings> {
    return this.send(getRegistrationSettings, {}, options);
  }

  /**
   * Creates a session with the identity verification provider. Unlike the session of
   * `user.startVerification`, its URL is typically reusable for 7 days.
   *
   * Endpoint: `POST /v1/auth/register/verification` (observed; not `.../verification/start`).
   * Retries: `issues-token`, but not after a lost response or a 500: another session may be billed. Secrets:
   * `onboardingId`, `sessionUrl`.
   * The state turns PENDING when the session is created, not when the user submits: never create a
   * new session because of the state.
   *
   * @experimental
   * @throws ApiError for an unknown onboarding id
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { registration } = observe(client).user;
   * const { sessionUrl } = await registration.startVerification({
   *   onboardingId: 'the id of verifyEmail',
   * });
   * ```
   */
  startVerification(
    input: OnboardingInput,
    options?: RequestOptions,
  ): PlatformPromise<RegistrationVerification> {
    return this.send(startRegistrationVerification, input, options);
  }

  /**
   * Submits the personal details.
   *
   * Endpoint: `POST /v1/auth/register/personal-details` (observed; not `.../details`). Retries: never;
   * the effect of a second submission was not seen. Secrets: every field. Refused while the identity
   * check is unfinished (code `USER_NOT_VERIFIED`, or a text with "not verified"; status not seen).
   *
   * @experimental
   * @throws ApiError when the identity check is unfinished or a field is wrong
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(client).user.registration.submitPersonalDetails({
   *   onboardingId: 'the id of verifyEmail',
   *   firstName: 'Ada',
   *   lastName: 'Lovelace',
   *   dateOfBirth: '1990-12-10',
   *   countryOfNationality: 'DE',
   * });
   * ```
   */
  submitPersonalDetails(
    input: PersonalDetailsInput,
    options?: RequestOptions,
  ): PlatformPromise<RegistrationStep> {
    return this.send(submitPersonalDetails, input, options);
  }

  /**
   * Submits the home address, and creates the user. `accessToken` is null only for a US
   * resident with `isSameMailingAddress: false`; it comes without a refresh token.
   *
   * Endpoint: `POST /v1/auth/register/address` (observed). Retries: never. Seen live: the service
   * created the user and responded with 500, and every retry failed. After an unclear outcome log in
   * with e-mail and password. Secrets: every field, `accessToken`, `user`.
   *
   * @experimental
   * @throws ServerError although the user may have been created
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { accessToken, user: person } = await observe(client).user.registration.submitAddress({
   *   onboardingId: 'the id of verifyEmail',
   *   addressLine1: 'Unter den Linden 1',
   *   city: 'Berlin',
   *   zip: '10117',
   *   isSameMailingAddress: true,
   * });
   * ```
   */
  submitAddress(input: AddressInput, options?: RequestOptions): PlatformPromise<RegisteredUser> {
    return this.send(submitAddress, input, options);
  }

  /**
   * Submits the mailing address of a US resident, when it differs, and ends the registration.
   *
   * Endpoint: `POST /v1/auth/register/mailing-address` (observed). Retries: never; after an unclear
   * outcome log in. Secrets: every field, `accessToken`, `user`.
   *
   * @experimental
   * @throws ServerError although the registration may have ended
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(client).user.registration.submitMailingAddress({
   *   onboardingId: 'the id of verifyEmail',
   *   addressLine1: '1 Main Street',
   *   city: 'Springfield',
   *   zip: '62701',
   *   usState: 'IL',
   * });
   * ```
   */
  submitMailingAddress(
    input: MailingAddressInput,
    options?: RequestOptions,
  ): PlatformPromise<RegisteredUser> {
    return this.send(submitMailingAddress, input, options);
  }

  /**
   * Returns the registration as the service knows it. Personal data: prints redacted.
   *
   * Endpoint: `GET /v1/auth/register` (observed; not `/v1/auth/register/status/{id}`). Retries: safe.
   * Secrets: `onboardingId`, every field. `dateOfBirth` is the day of the instant in the response.
   *
   * @experimental
   * @throws ApiError for an unknown onboarding id
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { verificationState } = await observe(client).user.registration.get({
   *   onboardingId: 'the id of verifyEmail',
   * });
   * ```
   */
  get(input: OnboardingInput, options?: RequestOptions): PlatformPromise<Registration> {
    return this.send(getRegistration, input, options);
  }
}
