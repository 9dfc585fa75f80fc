import { defineEndpoint } from '../define-endpoint.js';
import {
  anyEmail,
  digits,
  flag,
  maybe,
  notBlank,
  optional,
  otpCode,
  twoLetters,
} from '../fields.js';
import { registrationUser, USER_SECRETS } from './registration-fields.js';
import type {
  RegistrationStep,
  SendEmailCodeInput,
  SendPhoneCodeInput,
  SentEmailCode,
  VerifiedEmail,
  VerifyEmailInput,
  VerifyPhoneInput,
} from './registration-types.js';
import { command, inputOf, responseOf } from './schema.js';

/** POST /v1/auth/register/email/send (certainty high) */
export const sendRegistrationEmailCode = defineEndpoint({
  id: 'user.registration.sendEmailCode',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/email/send',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<SendEmailCodeInput>({ email: anyEmail }),
  output: responseOf<SentEmailCode>({ contactVerificationId: notBlank }),
  secretInputs: ['email'],
  secrets: ['contactVerificationId'],
});

/** POST /v1/auth/register/email/verify (certainty high) */
export const verifyRegistrationEmail = defineEndpoint({
  id: 'user.registration.verifyEmail',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/email/verify',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<VerifyEmailInput>({
    email: anyEmail,
    password: notBlank,
    verificationCode: otpCode,
    contactVerificationId: notBlank,
    countryOfResidence: twoLetters,
    allowMarketing: flag,
    allowSms: flag,
    userExternalId: optional(notBlank),
  }),
  output: responseOf<VerifiedEmail>({
    hasAccount: maybe(flag),
    onboardingId: maybe(notBlank),
    user: registrationUser,
  }),
  mayBeEmpty: true,
  secretInputs: ['email', 'password', 'verificationCode', 'contactVerificationId'],
  secrets: USER_SECRETS,
});

/** POST /v1/auth/register/phone/send (certainty high; the plus sign low) */
export const sendRegistrationPhoneCode = defineEndpoint({
  id: 'user.registration.sendPhoneCode',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/phone/send',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<SendPhoneCodeInput>({
    phoneCountryCode: notBlank,
    phoneNumber: digits,
    contactVerificationId: notBlank,
  }),
  output: command,
  mayBeEmpty: true,
  secretInputs: ['phoneNumber', 'contactVerificationId'],
});

/** POST /v1/auth/register/phone/verify (certainty high) */
export const verifyRegistrationPhone = defineEndpoint({
  id: 'user.registration.verifyPhone',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/phone/verify',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<VerifyPhoneInput>({
    phoneCountryCode: notBlank,
    phoneNumber: digits,
    contactVerificationId: notBlank,
    onboardingId: notBlank,
    verificationCode: notBlank,
  }),
  output: responseOf<RegistrationStep>({ onboardingId: maybe(notBlank), user: registrationUser }),
  mayBeEmpty: true,
  secretInputs: ['phoneNumber', 'contactVerificationId', 'onboardingId', 'verificationCode'],
  secrets: USER_SECRETS,
});
