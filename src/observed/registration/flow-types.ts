import type {
  AddressInput,
  MailingAddressInput,
  PersonalDetailsInput,
  SendEmailCodeInput,
  SendPhoneCodeInput,
  VerifyEmailInput,
  VerifyPhoneInput,
} from '../../contract/observed/registration-types.js';
import type { OnboardingPhase } from '../../index.js';
import type { RecordConsentInput } from './consent-steps.js';
import type { RegistrationProgress } from './progress.js';

/** Facts about a registration to continue, in addition to the store. */
export type ResumeInput = {
  /** The `phase` of a login. */
  phase?: OnboardingPhase | (string & {}) | null | undefined;
  /** If you know it from elsewhere, such as your server. */
  onboardingId?: string | undefined;
};

/** The ids that {@link RegistrationFlow} fills into each step. */
export type RegistrationIdField = 'onboardingId' | 'contactVerificationId';

/**
 * A guided registration. Each step returns the progress after it. Once the registration has ended in
 * `log_in`, a step sends nothing and returns that progress again.
 *
 * A step copies its input at once, so the form may change while it runs.
 *
 * A step rejects with a `ConfigurationError`, and sends nothing, if the registration is at another
 * step, if another step is running, if an id is not known on this device, or if the store fails.
 *
 * It rejects with the error of its request, with two exceptions. After a refusal that has a `reason`,
 * it returns the step to repeat. After an unclear outcome of `verifyEmail`, `submitAddress` or
 * `submitMailingAddress`, it returns `log_in`.
 */
export type RegistrationFlow = {
  /** Returns the progress of the registration, as far as this device knows. */
  progress(): Promise<RegistrationProgress>;
  /**
   * Reads the registration from the service, and returns the step at which it continues. Call it
   * when the app has been restarted, after a step whose response was lost, and after a login with a
   * `phase`. If you pass no `phase` and no `onboardingId` is known, it reads nothing and returns
   * the progress.
   *
   * @throws ConfigurationError when you pass a `phase`, and neither you nor the store knows the
   *   `onboardingId`
   */
  resume(input?: ResumeInput): Promise<RegistrationProgress>;
  /** Sends a code to the address. Each call sends another e-mail. */
  sendEmailCode(input: SendEmailCodeInput): Promise<RegistrationProgress>;
  /**
   * Verifies the address and creates the account. An address that already has an account ends in
   * `log_in`, as does a lost response.
   */
  verifyEmail(input: Omit<VerifyEmailInput, RegistrationIdField>): Promise<RegistrationProgress>;
  /** Sends a code to the phone. Each call sends another paid message. */
  sendPhoneCode(
    input: Omit<SendPhoneCodeInput, RegistrationIdField>,
  ): Promise<RegistrationProgress>;
  /** Verifies the phone. */
  verifyPhone(input: Omit<VerifyPhoneInput, RegistrationIdField>): Promise<RegistrationProgress>;
  /**
   * Returns the page of the identity provider: the same page while the app runs. It can be opened more
   * than once. `isNew: true` creates another session.
   *
   * @throws ConfigurationError when a new session is needed, and the registration has ended or is at a step
   * that no session can help
   */
  startVerification(options?: { isNew?: boolean }): Promise<{ readonly sessionUrl: string }>;
  /** Submits the personal details. Refused until the identity is verified: reason `not_verified`. */
  submitPersonalDetails(
    input: Omit<PersonalDetailsInput, RegistrationIdField>,
  ): Promise<RegistrationProgress>;
  /**
   * Records the consents of the person. If the onboarding has a set already, it must have the same
   * choices.
   *
   * @throws ConflictError with code `consent_set_exists` when the recorded choices differ, or are
   *   not shown
   */
  recordConsent(input: RecordConsentInput): Promise<RegistrationProgress>;
  /** Submits the address and creates the user. `isSameMailingAddress` is `true` by default. */
  submitAddress(input: Omit<AddressInput, RegistrationIdField>): Promise<RegistrationProgress>;
  /** Submits the mailing address of a US resident, if it differs. */
  submitMailingAddress(
    input: Omit<MailingAddressInput, RegistrationIdField>,
  ): Promise<RegistrationProgress>;
  /**
   * Links the consents to the user.
   *
   * @throws ConflictError with code `consent_already_linked` when the consents are linked to
   *   another user, or the service does not show to whom
   */
  linkConsent(): Promise<RegistrationProgress>;
  /** Forgets the registration, here and in the store. */
  restart(): Promise<RegistrationProgress>;
};
