import type { NoInput } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import type { Interpretation } from './endpoint.js';
import { filledText, flag, input, number, orBlank, pathId, responseBody } from './fields.js';
import { observedResponse, response } from './response.js';

/**
 * The referral code of the user.
 *
 * @remarks
 * Only `code` is essential: a response that differs from the contract may lack the numbers.
 */
export type Referral = {
  code: string;
  /** The maximum number of successful referrals. */
  cap: number;
  /** How many successful referrals there are. */
  used: number;
};

/** The referral code to check. */
export type ValidateReferralInput = {
  /** The referral code of another user. */
  code: string;
};

/** Whether a referral code can be used (preview). */
export type ReferralValidity = { valid?: boolean | null | undefined };

// An empty object, and an empty body, mean that no campaign is active.
function readReferral(data: unknown): Interpretation<Referral | null> {
  const referral = data as Partial<Referral>;
  if (Object.keys(referral).length === 0) return { means: 'result', result: null };
  return typeof referral.code === 'string' && referral.code !== ''
    ? { means: 'result', result: data as Referral }
    : { means: 'invalid', path: 'code', rule: 'is missing' };
}

/** GET /v1/referral */
export const getReferral = defineEndpoint<NoInput, Referral | null>({
  id: 'referral.get',
  method: 'GET',
  path: '/v1/referral',
  pageAccess: 'allowed',
  retry: 'safe',
  responses: {
    // Without a campaign, a body without a field is the whole response: see `readReferral`.
    200: response(orBlank(responseBody({ code: filledText, cap: number, used: number })), [], {
      mayBeEmpty: true,
    }),
  },
  interpret: readReferral,
  errors: [401, 403, 500],
});

/** GET /v1/referral/{code}/validate (preview) */
export const validateReferral = defineEndpoint<ValidateReferralInput, ReferralValidity>({
  id: 'referral.validate',
  method: 'GET',
  path: '/v1/referral/{code}/validate',
  pageAccess: 'on-request',
  credentials: ['clientKey'],
  stability: 'preview',
  retry: 'safe',
  input: input({ code: pathId }),
  responses: { 200: observedResponse(responseBody({ valid: flag })) },
});
