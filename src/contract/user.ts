import { type VerificationState, verificationState } from './auth.js';
import type { NoInput } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import { responseBody, secureUrl, text } from './fields.js';
import { observedResponse, response } from './response.js';

/** A session with the identity verification provider. */
export type VerificationSession = {
  /** Single-use, typically valid for 24 hours. Prints redacted. */
  sessionUrl: string;
};

/**
 * The user (preview): any field may be absent. Name, date of birth, e-mail address, phone number,
 * postal address and SSN print redacted. The countries and `usState` do not.
 */
export type User = {
  id?: string | null | undefined;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  dateOfBirth?: string | null | undefined;
  email?: string | null | undefined;
  verificationState?: VerificationState | null | undefined;
  phoneNumber?: string | null | undefined;
  phoneCountryCode?: string | null | undefined;
  addressLine1?: string | null | undefined;
  addressLine2?: string | null | undefined;
  city?: string | null | undefined;
  zip?: string | null | undefined;
  countryOfResidence?: string | null | undefined;
  countryOfNationality?: string | null | undefined;
  usState?: string | null | undefined;
  ssn?: string | null | undefined;
  createdAt?: string | null | undefined;
};

/** GET /v1/user/verification */
export const startVerification = defineEndpoint<NoInput, VerificationSession>({
  id: 'user.startVerification',
  method: 'GET',
  path: '/v1/user/verification',
  pageAccess: 'allowed',
  // Each retry leaves one more live session, so one follows only a clear failure.
  retry: 'issues-token',
  retryAfterNoResponse: false,
  retryAfterStatuses: [502, 503, 504],
  responses: { 200: response(responseBody({ sessionUrl: secureUrl }), ['sessionUrl']) },
  errors: [401, 403, 500],
  secrets: ['sessionUrl'],
});

/** GET /v1/user (preview) */
export const getUser = defineEndpoint<NoInput, User>({
  id: 'user.get',
  method: 'GET',
  path: '/v1/user',
  pageAccess: 'allowed',
  stability: 'preview',
  retry: 'safe',
  responses: {
    200: observedResponse(
      responseBody({
        id: text,
        firstName: text,
        lastName: text,
        dateOfBirth: text,
        email: text,
        verificationState,
        phoneNumber: text,
        phoneCountryCode: text,
        addressLine1: text,
        addressLine2: text,
        city: text,
        zip: text,
        countryOfResidence: text,
        countryOfNationality: text,
        usState: text,
        ssn: text,
        createdAt: text,
      }),
    ),
  },
  secrets: [
    'firstName',
    'lastName',
    'dateOfBirth',
    'email',
    'phoneNumber',
    'phoneCountryCode',
    'addressLine1',
    'addressLine2',
    'city',
    'zip',
    'ssn',
  ],
});
