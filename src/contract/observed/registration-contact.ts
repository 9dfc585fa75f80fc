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
import { defineObserved } from './define.js';
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
import { input, response } from './schema.js';
import { command } from './success.js';

/** POST /v1/auth/register/email/send (certainty high) */
export const sendRegistrationEmailCode = defineObserved({
  id: 'user.registration.sendEmailCode',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/email/send',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: input<SendEmailCodeInput>({ email: anyEmail }),
  output: response<SentEmailCode>({ contactVerificationId: notBlank }),
  secretInputs: ['email'],
  secrets: ['contactVerificationId'],
});

/** POST /v1/auth/register/email/verify (certainty high) */
export const verifyRegistrationEmail = defineObserved({
  id: 'user.registration.verifyEmail',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/email/verify',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: input<VerifyEmailInput>({
    email: anyEmail,
    password: notBlank,
    verificationCode: otpCode,
    contactVerificationId: notBlank,
    countryOfResidence: twoLetters,
    allowMarketing: flag,
    allowSms: flag,
    userExternalId: optional(notBlank),
  }),
  output: response<VerifiedEmail>({
    hasAccount: maybe(flag),
    onboardingId: maybe(notBlank),
    user: registrationUser,
  }),
  mayBeEmpty: true,
  secretInputs: ['email', 'password', 'verificationCode', 'contactVerificationId'],
  secrets: USER_SECRETS,
});

/** POST /v1/auth/register/phone/send (certainty high; the plus sign low) */
export const sendRegistrationPhoneCode = defineObserved({
  id: 'user.registration.sendPhoneCode',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/phone/send',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: input<SendPhoneCodeInput>({
    phoneCountryCode: notBlank,
    phoneNumber: digits,
    contactVerificationId: notBlank,
  }),
  output: command,
  mayBeEmpty: true,
  secretInputs: ['phoneNumber', 'contactVerificationId'],
});

/** POST /v1/auth/register/phone/verify (certainty high) */
export const verifyRegistrationPhone = defineObserved({
  id: 'user.registration.verifyPhone',
  certainty: 'high',
  method: 'POST',
  path: '/v1/auth/register/phone/verify',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: input<VerifyPhoneInput>({
    phoneCountryCode: notBlank,
    phoneNumber: digits,
    contactVerificationId: notBlank,
    onboardingId: notBlank,
    verificationCode: notBlank,
  }),
  output: response<RegistrationStep>({ onboardingId: maybe(notBlank), user: registrationUser }),
  mayBeEmpty: true,
  secretInputs: ['phoneNumber', 'contactVerificationId', 'onboardingId', 'verificationCode'],
  secrets: USER_SECRETS,
});
