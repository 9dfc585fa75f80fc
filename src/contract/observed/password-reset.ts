import { defineEndpoint } from '../define-endpoint.js';
import { anyEmail, notBlank, optional, rule } from '../fields.js';
import { command, inputOf, inputWithCopies, responseOf } from './schema.js';

/** The address to send a code to. */
export type RequestPasswordResetInput = { email: string };

/** The code from the mail. */
export type VerifyPasswordResetInput = { email: string; code: string };

/** The proof that the code was right. */
export type VerifiedPasswordReset = {
  /** For {@link confirmPasswordReset}: single use, short-lived. Prints redacted. */
  token: string;
};

/** The new password. */
export type ConfirmPasswordResetInput = {
  /** The token of {@link verifyPasswordReset}. */
  token: string;
  password: string;
  /** Must be equal to the password. Default: the password. */
  confirmPassword?: string | undefined;
};

/** POST /v1/auth/password/reset/request (certainty medium) */
export const requestPasswordReset = defineEndpoint({
  id: 'auth.passwordReset.request',
  certainty: 'medium',
  method: 'POST',
  path: '/v1/auth/password/reset/request',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<RequestPasswordResetInput>({ email: anyEmail }),
  output: command,
  mayBeEmpty: true,
  secretInputs: ['email'],
});

/** POST /v1/auth/password/reset/verify (certainty medium) */
export const verifyPasswordReset = defineEndpoint({
  id: 'auth.passwordReset.verify',
  certainty: 'medium',
  method: 'POST',
  path: '/v1/auth/password/reset/verify',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputOf<VerifyPasswordResetInput>({ email: anyEmail, code: notBlank }),
  output: responseOf<VerifiedPasswordReset>({ token: notBlank }),
  secretInputs: ['email', 'code'],
  secrets: ['token'],
  errors: [400, 422],
});

/** POST /v1/auth/password/reset/confirm (certainty medium) */
export const confirmPasswordReset = defineEndpoint({
  id: 'auth.passwordReset.confirm',
  certainty: 'medium',
  method: 'POST',
  path: '/v1/auth/password/reset/confirm',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  retry: 'never',
  isRecorded: false,
  input: inputWithCopies<ConfirmPasswordResetInput>(
    { token: notBlank, password: notBlank, confirmPassword: optional(notBlank) },
    { confirmPassword: 'password' },
    rule('confirmPassword', 'must be equal to password', ({ password, confirmPassword }) => {
      return confirmPassword === undefined || confirmPassword === password;
    }),
  ),
  output: command,
  mayBeEmpty: true,
  secretInputs: ['token', 'password', 'confirmPassword'],
  errors: [400, 422],
});
