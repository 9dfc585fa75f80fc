import { defineEndpoint } from '../../endpoints/index.js';
import {
  anything,
  day,
  filled,
  flag,
  httpsUrl,
  list,
  nineDigits,
  object,
  optional,
  seen,
  text,
  twoLetters,
} from '../schema/rule.js';
import { input, noInput, response, schemaOf } from '../schema/schema.js';
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

const links = seen(
  object<RegistrationLinks>({
    termsAndConditions: seen(text),
    accountOpeningDisclosure: seen(text),
    noticeOfPrivacy: seen(text),
    eSignConsentDisclosure: seen(text),
    rightToInformation: seen(text),
  }),
);
const config = seen(
  object<RegistrationConfig>({
    emailSpecialCharactersDomainsException: seen(anything),
    consentSmsNumber: seen(text),
    supportEmail: seen(text),
  }),
);

/** GET /v1/auth/settings (certainty high) */
export const getRegistrationSettings = /* @__PURE__ */ defineEndpoint({
  id: 'user.registration.settings',
  method: 'GET',
  path: '/v1/auth/settings',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'safe',
  input: noInput,
  output: response<RegistrationSettings>({
    countries: seen(
      list(
        object<RegistrationCountry>({
          id: seen(anything),
          name: seen(text),
          iso3166alpha2: seen(text),
          callingCode: seen(text),
          canSignUp: seen(flag),
        }),
      ),
    ),
    usStates: seen(
      list(
        object<RegistrationState>({
          id: seen(anything),
          name: seen(text),
          postalAbbreviation: seen(text),
          canSignUp: seen(flag),
        }),
      ),
    ),
    links: seen(object<ByRegion<RegistrationLinks>>({ us: links, intl: links })),
    config: seen(object<ByRegion<RegistrationConfig>>({ us: config, intl: config })),
  }),
  mayBeEmpty: true,
});

/** POST /v1/auth/register/verification (certainty high) */
export const startRegistrationVerification = /* @__PURE__ */ defineEndpoint({
  id: 'user.registration.startVerification',
  method: 'POST',
  path: '/v1/auth/register/verification',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'issues-token',
  input: input<OnboardingInput>({ onboardingId: filled }),
  output: response<RegistrationVerification>({ sessionUrl: httpsUrl }),
  secretInputs: ['onboardingId'],
  secrets: ['sessionUrl'],
});

/** POST /v1/auth/register/personal-details (certainty high) */
export const submitPersonalDetails = /* @__PURE__ */ defineEndpoint({
  id: 'user.registration.submitPersonalDetails',
  method: 'POST',
  path: '/v1/auth/register/personal-details',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  input: input<PersonalDetailsInput>({
    onboardingId: filled,
    firstName: filled,
    lastName: filled,
    dateOfBirth: day,
    countryOfNationality: twoLetters,
    ssn: optional(nineDigits),
    countryOfBirth: optional(twoLetters),
  }),
  output: response<RegistrationStep>({ onboardingId: seen(filled), user: registrationUser }),
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

const registered = response<RegisteredUser>({
  accessToken: seen(filled),
  onboardingId: seen(filled),
  user: registrationUser,
});

/** POST /v1/auth/register/address (certainty high) */
export const submitAddress = /* @__PURE__ */ defineEndpoint({
  id: 'user.registration.submitAddress',
  method: 'POST',
  path: '/v1/auth/register/address',
  pageAccess: 'never',
  credentials: ['clientKey'],
  retry: 'never',
  input: input<AddressInput>({
    onboardingId: filled,
    addressLine1: filled,
    addressLine2: optional(text),
    city: filled,
    zip: filled,
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
export const submitMailingAddress = /* @__PURE__ */ defineEndpoint({
  id: 'user.registration.submitMailingAddress',
  method: 'POST',
  path: '/v1/auth/register/mailing-address',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  input: input<MailingAddressInput>({
    onboardingId: filled,
    addressLine1: filled,
    addressLine2: optional(text),
    city: filled,
    zip: filled,
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
export const getRegistration = /* @__PURE__ */ defineEndpoint({
  id: 'user.registration.get',
  method: 'GET',
  path: '/v1/auth/register',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'safe',
  input: input<OnboardingInput>({ onboardingId: filled }),
  query: ['onboardingId'],
  output: schemaOf(
    object<Registration>({
      id: seen(text),
      email: seen(text),
      firstName: seen(text),
      lastName: seen(text),
      phoneNumber: seen(text),
      verificationState: seen(text),
      addressLine1: seen(text),
      city: seen(text),
      countryOfResidence: seen(text),
      dateOfBirth: seen(text),
      countryOfNationality: seen(text),
      countryOfBirth: seen(text),
    }),
    withDayOfBirth,
  ),
  mayBeEmpty: true,
  secretInputs: ['onboardingId'],
  secrets: REGISTRATION_SECRETS,
});
