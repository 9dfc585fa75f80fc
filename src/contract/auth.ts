import type { OpenEnum, SuccessResult } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import type { Interpretation } from './endpoint.js';
import {
  email,
  filledText,
  flag,
  identifier,
  input,
  maskedText,
  maybe,
  oneOf,
  optional,
  otpCode,
  responseBody,
  uuid,
} from './fields.js';
import { isCredential, isMissing } from './formats/credential.js';
import { refusal } from './refusals.js';
import { doneResponse, response } from './response.js';

/** The credentials of a user. */
export type LoginInput = {
  /** E-mail address of the user. */
  email: string;
  /** Password of the user. */
  password: string;
  /** The 6 digits sent to the user's phone; only for users who have OTP enabled. */
  otpCode?: string | undefined;
};

/** The state of the user's identity verification. */
export type VerificationState = OpenEnum<'UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'REJECTED'>;

/**
 * The onboarding step of a user who has not finished onboarding: one of the contract's list, or one
 * that the service has added since. Never empty, so that `if (login.phase)` narrows the type.
 */
export type OnboardingPhase = OpenEnum<
  'ACCOUNT' | 'PHONE_NUMBER' | 'PERSONAL_INFORMATION' | 'PHYSICAL_ADDRESS' | 'MAILING_ADDRESS'
>;

type SessionFacts = {
  /** The user, a UUID. */
  userId?: string | null | undefined;
  isOtpRequired?: boolean | null | undefined;
  /** Masked phone number. */
  phoneNumber?: string | null | undefined;
  verificationState?: VerificationState | null | undefined;
  /** Whether your client has valid permission on the user's account. */
  isLinked?: boolean | null | undefined;
};

/** A session: the user is logged in and has finished onboarding. */
export type AccessSession = SessionFacts & {
  /** Bearer token; lives 6 hours (`ACCESS_TOKEN_LIFETIME_MS`). Prints redacted. */
  accessToken: string;
  phase?: null | undefined;
};

/** The user has not finished onboarding: there may be no token yet. */
export type OnboardingSession = SessionFacts & {
  /** Bearer token, if the service returned one. Prints redacted. */
  accessToken?: string | null | undefined;
  /** The next step of onboarding. */
  phase: OnboardingPhase;
};

/** The result of a login: a session, or the user's step of onboarding. Only the latter has `phase`. */
export type LoginResult = AccessSession | OnboardingSession;

/** The user to send a one-time password to. */
export type SendLoginOtpInput = {
  /** The user, from `OtpRequiredError.userId`. In practice the service may leave it out. */
  userId?: string | undefined;
};

const filled = (value: unknown): value is string => typeof value === 'string' && !isMissing(value);

// The order matters: onboarding may have no token, and an OTP request may have one.
function readLogin(data: unknown): Interpretation<LoginResult> {
  const session = data as Record<keyof AccessSession, unknown>;
  const { accessToken } = session;
  const isUsable = isCredential(accessToken);
  // A phase of another type is drift, but the session is still unfinished.
  if (session.phase && !isMissing(session.phase)) {
    const unusable = accessToken !== undefined && !isUsable && { accessToken: null };
    return { means: 'result', result: { ...(data as OnboardingSession), ...unusable } };
  }
  if (session.isOtpRequired === true) {
    return {
      means: 'otp-required',
      ...(filled(session.userId) && { userId: session.userId }),
      ...(filled(session.phoneNumber) && { phoneNumber: session.phoneNumber }),
    };
  }
  if (isUsable) {
    const blank = session.phase !== undefined && { phase: null };
    return { means: 'result', result: { ...(data as AccessSession), ...blank } };
  }
  const rule = isMissing(accessToken) ? 'is missing' : 'is not a token';
  return { means: 'invalid', path: 'accessToken', rule };
}

/** The states of an identity verification. */
export const verificationState = oneOf(['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED']);

/** POST /v1/auth/login */
export const login = defineEndpoint<LoginInput, LoginResult>({
  id: 'auth.login',
  method: 'POST',
  path: '/v1/auth/login',
  pageAccess: 'never',
  credentials: ['clientKey'],
  // Attempts count toward a lockout.
  retry: 'never',
  retryAfterConnectFailure: 1,
  input: input({ email, password: filledText, otpCode: optional(otpCode) }),
  secretInputs: ['password', 'otpCode'],
  responses: {
    // Which fields a login needs depends on its kind: see `readLogin`.
    200: response(
      responseBody({
        accessToken: filledText,
        userId: uuid,
        isOtpRequired: flag,
        // Only if `isOtpRequired` is true.
        phoneNumber: optional(maskedText),
        // Only during onboarding.
        phase: maybe(
          oneOf([
            'ACCOUNT',
            'PHONE_NUMBER',
            'PERSONAL_INFORMATION',
            'PHYSICAL_ADDRESS',
            'MAILING_ADDRESS',
          ]),
        ),
        verificationState,
        isLinked: flag,
      }),
    ),
  },
  interpret: readLogin,
  errors: [400, 422, 498, 499],
  secrets: ['accessToken'],
  issuedToken: { token: 'accessToken', userId: 'userId' },
  // A login leaves nothing that can be read, and logging in again is safe.
  isRecorded: false,
});

/** POST /v1/auth/login/otp (preview) */
export const sendLoginOtp = defineEndpoint<SendLoginOtpInput, SuccessResult>({
  id: 'auth.sendLoginOtp',
  method: 'POST',
  path: '/v1/auth/login/otp',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  stability: 'preview',
  // Each request sends a message, which costs money, and a second code may void the first.
  retry: 'never',
  retryAfterConnectFailure: 1,
  input: input({ userId: optional(identifier) }),
  responses: { 200: doneResponse },
  // Seen, not documented.
  businessErrors: [refusal('no_phone_number', 400, 'user has no phone number')],
  // No read shows whether a code was sent: the user knows, and may ask for another one.
  isRecorded: false,
});
