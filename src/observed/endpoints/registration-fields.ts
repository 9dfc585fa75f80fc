import { object, seen, text } from '../schema/rule.js';
import type { RegistrationUser } from './registration-types.js';

/** The person in the response to a step: personal data, no field of which is certain. */
export const registrationUser = seen(
  object<RegistrationUser>({
    id: seen(text),
    firstName: seen(text),
    lastName: seen(text),
    dateOfBirth: seen(text),
    email: seen(text),
    verificationState: seen(text),
    phoneNumber: seen(text),
    phoneCountryCode: seen(text),
    addressLine1: seen(text),
    addressLine2: seen(text),
    city: seen(text),
    zip: seen(text),
    countryOfResidence: seen(text),
    countryOfNationality: seen(text),
    usState: seen(text),
    ssn: seen(text),
    createdAt: seen(text),
    mailingAddressLine1: seen(text),
    mailingAddressLine2: seen(text),
    mailingCity: seen(text),
    mailingZip: seen(text),
    mailingUsState: seen(text),
    contactVerificationId: seen(text),
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

/** Every field; by name as well, because an error body may hold them next to its message. */
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
