import type { User } from '../user.js';

/** A country in the settings, as observed. */
export type RegistrationCountry = {
  id?: string | number | null | undefined;
  name?: string | null | undefined;
  iso3166alpha2?: string | null | undefined;
  /** Without a plus sign. */
  callingCode?: string | null | undefined;
  canSignUp?: boolean | null | undefined;
};

/** A US state in the settings, as observed. */
export type RegistrationState = {
  id?: string | number | null | undefined;
  name?: string | null | undefined;
  postalAbbreviation?: string | null | undefined;
  canSignUp?: boolean | null | undefined;
};

/** URLs of legal texts. */
export type RegistrationLinks = {
  termsAndConditions?: string | null | undefined;
  accountOpeningDisclosure?: string | null | undefined;
  noticeOfPrivacy?: string | null | undefined;
  eSignConsentDisclosure?: string | null | undefined;
  rightToInformation?: string | null | undefined;
};

/** Further settings of a region, according to the types of one client. */
export type RegistrationConfig = {
  emailSpecialCharactersDomainsException?: unknown;
  consentSmsNumber?: string | null | undefined;
  supportEmail?: string | null | undefined;
};

/** A value for each region. */
export type ByRegion<T> = { us?: T | null | undefined; intl?: T | null | undefined };

/** The settings of registration. Any of the four may be null or absent. */
export type RegistrationSettings = {
  countries?: readonly RegistrationCountry[] | null | undefined;
  /** Only if the service serves the US. */
  usStates?: readonly RegistrationState[] | null | undefined;
  links?: ByRegion<RegistrationLinks> | null | undefined;
  config?: ByRegion<RegistrationConfig> | null | undefined;
};

/** The person of a registration: the fields of `user.get()`, and more. Prints redacted. */
export type RegistrationUser = User & {
  mailingAddressLine1?: string | null | undefined;
  mailingAddressLine2?: string | null | undefined;
  mailingCity?: string | null | undefined;
  mailingZip?: string | null | undefined;
  mailingUsState?: string | null | undefined;
  contactVerificationId?: string | null | undefined;
};

/** The address to send a code to. */
export type SendEmailCodeInput = { email: string };

/** A sent code. */
export type SentEmailCode = {
  /**
   * Stands for the address in the next steps, for about 10 to 15 minutes. A secret: prints redacted.
   */
  contactVerificationId: string;
};

/** The code from the mail, and the new account. */
export type VerifyEmailInput = {
  email: string;
  /** The SDK does not check it. One client requires 15 characters of four kinds. */
  password: string;
  /** 6 digits. */
  verificationCode: string;
  contactVerificationId: string;
  /** ISO 3166-1 alpha-2. */
  countryOfResidence: string;
  allowMarketing: boolean;
  allowSms: boolean;
  /** An id of your own, according to the types of one client. */
  userExternalId?: string | undefined;
};

/** A verified address. */
export type VerifiedEmail = {
  /** `true`: the address has an account. Send the user to login; there is no `onboardingId`. */
  hasAccount?: boolean | null | undefined;
  /** A secret: together with the client key, it gives access to personal data. Prints redacted. */
  onboardingId?: string | null | undefined;
  user?: RegistrationUser | null | undefined;
};

/** The phone to send a code to. */
export type SendPhoneCodeInput = {
  /** Sent as you pass it, because the sources disagree about a plus sign. */
  phoneCountryCode: string;
  /** Digits only. */
  phoneNumber: string;
  /** From the e-mail step. */
  contactVerificationId: string;
};

/** The code from the message. */
export type VerifyPhoneInput = SendPhoneCodeInput & {
  onboardingId: string;
  verificationCode: string;
};

/** The registration after a step. */
export type RegistrationStep = {
  /** A secret. Prints redacted. */
  onboardingId?: string | null | undefined;
  user?: RegistrationUser | null | undefined;
};

/** The registration. */
export type OnboardingInput = { onboardingId: string };

/** A session with the identity verification provider. */
export type RegistrationVerification = {
  /** An https page, typically reusable for 7 days. Prints redacted. */
  sessionUrl: string;
};

/** The personal details. */
export type PersonalDetailsInput = {
  onboardingId: string;
  firstName: string;
  lastName: string;
  /** `YYYY-MM-DD`. */
  dateOfBirth: string;
  /** ISO 3166-1 alpha-2. */
  countryOfNationality: string;
  /** US residents only: nine digits, no separators. */
  ssn?: string | undefined;
  /** ISO 3166-1 alpha-2. No source shows that the service accepts it. */
  countryOfBirth?: string | undefined;
};

/** The address at which the person gets mail. */
export type MailingAddressInput = {
  onboardingId: string;
  addressLine1: string;
  addressLine2?: string | undefined;
  city: string;
  zip: string;
  /** Postal abbreviation. */
  usState: string;
};

/** The address at which the person lives. */
export type AddressInput = Omit<MailingAddressInput, 'usState'> & {
  /** US residents: postal abbreviation. */
  usState?: string | undefined;
  /** The vendor requires it; `true` outside the US. */
  isSameMailingAddress?: boolean | undefined;
};

/** The result of the last step of a registration, or of the step before it. */
export type RegisteredUser = {
  /**
   * A session without a refresh token. `null` only for a US resident whose mailing address differs:
   * submitting the mailing address then returns it. Prints redacted.
   */
  accessToken?: string | null | undefined;
  /** A secret. Prints redacted. */
  onboardingId?: string | null | undefined;
  /** `user.id` is the permanent id of the user. */
  user?: RegistrationUser | null | undefined;
};

/** The registration as the service knows it. Personal data: every field prints redacted. */
export type Registration = {
  id?: string | null | undefined;
  email?: string | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  phoneNumber?: string | null | undefined;
  /** PENDING as soon as a session was created, not when the user has submitted. */
  verificationState?: User['verificationState'];
  addressLine1?: string | null | undefined;
  city?: string | null | undefined;
  countryOfResidence?: string | null | undefined;
  /** `YYYY-MM-DD`: the day of the instant that the service sends. */
  dateOfBirth?: string | null | undefined;
  countryOfNationality?: string | null | undefined;
  countryOfBirth?: string | null | undefined;
};
