import { verificationState } from '../auth.js';
import { defineEndpoint } from '../define-endpoint.js';
import {
  anything,
  calendarDay,
  flag,
  list,
  maybe,
  nineDigits,
  notBlank,
  optional,
  secureUrl,
  text,
  textOrNumber,
  timestamp,
  twoLetters,
} from '../fields.js';
import {
  ADDRESS_SECRETS,
  REGISTRATION_SECRETS,
  registrationUser,
  TOKEN_SECRETS,
  USER_SECRETS,
} from './registration-fields.js';
import type {
  AddressInput,
  ByRegion,
  MailingAddressInput,
  OnboardingInput,
  PersonalDetailsInput,
  RegisteredUser,
  Registration,
  RegistrationConfig,
  RegistrationCountry,
  RegistrationLinks,
  RegistrationSettings,
  RegistrationState,
  RegistrationStep,
  RegistrationVerification,
} from './registration-types.js';
import { bodyOf, inputOf, noInput, objectOf, responseOf } from './schema.js';

const links = maybe(
  objectOf<RegistrationLinks>({
    termsAndConditions: maybe(text),
    accountOpeningDisclosure: maybe(text),
    noticeOfPrivacy: maybe(text),
    eSignConsentDisclosure: maybe(text),
    rightToInformation: maybe(text),
  }),
);
const config = maybe(
  objectOf<RegistrationConfig>({
    emailSpecialCharactersDomainsException: maybe(anything),
    consentSmsNumber: maybe(text),
    supportEmail: maybe(text),
  }),
);

/** GET /v1/auth/settings (certainty high) */
export const getRegistrationSettings = defineEndpoint({
  id: 'user.registration.settings',
  certainty: 'high',
  method: 'GET',
  path: '/v1/auth/settings',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'safe',
  input: noInput,
  output: responseOf<RegistrationSettings>({
    countries: maybe(
      list(
        objectOf<RegistrationCountry>({
          id: maybe(textOrNumber),
          name: maybe(text),
          iso3166alpha2: maybe(text),
          callingCode: maybe(text),
          canSignUp: maybe(flag),
        }),
      ),
    ),
    usStates: maybe(
      list(
        objectOf<RegistrationState>({
          id: maybe(textOrNumber),
          name: maybe(text),
          postalAbbreviation: maybe(text),
          canSignUp: maybe(flag),
        }),
      ),
    ),
    links: maybe(objectOf<ByRegion<RegistrationLinks>>({ us: links, intl: links })),
    config: maybe(objectOf<ByRegion<RegistrationConfig>>({ us: config, intl: config })),
  }),
  mayBeEmpty: true,
});

/** POST /v1/auth/register/verification (certainty high) */
export const startRegistrationVerification = defineEndpoint({
  id: 'user.registration.startVerification',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/verification',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  // Each retry leaves one more identity session, which may be billed: see `user.startVerification`.
  retry: 'issues-token',
  retryAfterNoResponse: false,
  retryAfterStatuses: [502, 503, 504],
  input: inputOf<OnboardingInput>({ onboardingId: notBlank }),
  output: responseOf<RegistrationVerification>({ sessionUrl: secureUrl }),
  secretInputs: ['onboardingId'],
  secrets: ['sessionUrl'],
});

/** POST /v1/auth/register/personal-details (certainty high) */
export const submitPersonalDetails = defineEndpoint({
  id: 'user.registration.submitPersonalDetails',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/personal-details',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<PersonalDetailsInput>({
    onboardingId: notBlank,
    firstName: notBlank,
    lastName: notBlank,
    dateOfBirth: calendarDay,
    countryOfNationality: twoLetters,
    ssn: optional(nineDigits),
    countryOfBirth: optional(twoLetters),
  }),
  output: responseOf<RegistrationStep>({ onboardingId: maybe(notBlank), user: registrationUser }),
  mayBeEmpty: true,
  secretInputs: [
    'onboardingId',
    'firstName',
    'lastName',
    'dateOfBirth',
    'countryOfNationality',
    'ssn',
    'countryOfBirth',
  ],
  secrets: USER_SECRETS,
});

const registered = responseOf<RegisteredUser>({
  accessToken: maybe(notBlank),
  onboardingId: maybe(notBlank),
  user: registrationUser,
});

/** POST /v1/auth/register/address (certainty high) */
export const submitAddress = defineEndpoint({
  id: 'user.registration.submitAddress',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/address',
  pageAccess: 'never',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<AddressInput>({
    onboardingId: notBlank,
    addressLine1: notBlank,
    addressLine2: optional(text),
    city: notBlank,
    zip: notBlank,
    usState: optional(twoLetters),
    isSameMailingAddress: optional(flag),
  }),
  output: registered,
  mayBeEmpty: true,
  secretInputs: ADDRESS_SECRETS,
  secrets: TOKEN_SECRETS,
  errors: [500],
});

/** POST /v1/auth/register/mailing-address (certainty high) */
export const submitMailingAddress = defineEndpoint({
  id: 'user.registration.submitMailingAddress',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/mailing-address',
  pageAccess: 'never',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<MailingAddressInput>({
    onboardingId: notBlank,
    addressLine1: notBlank,
    addressLine2: optional(text),
    city: notBlank,
    zip: notBlank,
    usState: twoLetters,
  }),
  output: registered,
  mayBeEmpty: true,
  secretInputs: ADDRESS_SECRETS,
  secrets: TOKEN_SECRETS,
});

/** The day of an instant, as text: a `Date` would move it into the zone of the reader. */
function withDayOfBirth(value: unknown): Registration {
  const registration = value as Registration;
  const { dateOfBirth } = registration;
  return typeof dateOfBirth === 'string'
    ? { ...registration, dateOfBirth: dateOfBirth.slice(0, 10) }
    : registration;
}

/** GET /v1/auth/register (certainty high) */
export const getRegistration = defineEndpoint({
  id: 'user.registration.get',
  certainty: 'high',
  method: 'GET',
  path: '/v1/auth/register',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'safe',
  input: inputOf<OnboardingInput>({ onboardingId: notBlank }),
  query: ['onboardingId'],
  output: bodyOf(
    objectOf<Registration>({
      id: maybe(text),
      email: maybe(text),
      firstName: maybe(text),
      lastName: maybe(text),
      phoneNumber: maybe(text),
      verificationState: maybe(verificationState),
      addressLine1: maybe(text),
      city: maybe(text),
      countryOfResidence: maybe(text),
      dateOfBirth: maybe(timestamp),
      countryOfNationality: maybe(text),
      countryOfBirth: maybe(text),
    }),
    withDayOfBirth,
  ),
  mayBeEmpty: true,
  secretInputs: ['onboardingId'],
  secrets: REGISTRATION_SECRETS,
});
