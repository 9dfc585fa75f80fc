import { verificationState } from '../auth.js';
import { maybe, text } from '../fields.js';
import type { RegistrationUser } from './registration-types.js';
import { objectOf } from './schema.js';

/** The person in the response to a step: personal data, no field of which is certain. */
export const registrationUser = maybe(
  objectOf<RegistrationUser>({
    id: maybe(text),
    firstName: maybe(text),
    lastName: maybe(text),
    dateOfBirth: maybe(text),
    email: maybe(text),
    verificationState: maybe(verificationState),
    phoneNumber: maybe(text),
    phoneCountryCode: maybe(text),
    addressLine1: maybe(text),
    addressLine2: maybe(text),
    city: maybe(text),
    zip: maybe(text),
    countryOfResidence: maybe(text),
    countryOfNationality: maybe(text),
    usState: maybe(text),
    ssn: maybe(text),
    createdAt: maybe(text),
    mailingAddressLine1: maybe(text),
    mailingAddressLine2: maybe(text),
    mailingCity: maybe(text),
    mailingZip: maybe(text),
    mailingUsState: maybe(text),
    contactVerificationId: maybe(text),
  }),
);

export const USER_SECRETS = ['onboardingId', 'user.*'];
export const TOKEN_SECRETS = ['accessToken', 'onboardingId', 'user.*'];

export const ADDRESS_SECRETS = [
  'onboardingId',
  'addressLine1',
  'addressLine2',
  'city',
  'zip',
  'usState',
];

/** Every field; by name as well, because an error body may contain them next to its message. */
export const REGISTRATION_SECRETS = [
  '*',
  'email',
  'firstName',
  'lastName',
  'phoneNumber',
  'addressLine1',
  'city',
  'dateOfBirth',
];
