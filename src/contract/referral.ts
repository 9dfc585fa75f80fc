import type { NoInput } from './common.js';
import type { Endpoint, Reading } from './endpoint.js';
import { answer, input, maybe, number, pathId, text } from './fields.js';
import { READ } from './repeat.js';

/** The referral code of the user. */
export type Referral = {
  code: string;
  /** How many successful referrals count at the most. */
  cap: number;
  /** How many there are. */
  used: number;
};

/** Which referral code. */
export type ValidateReferralInput = { code: string };

/** Whether a referral code can be used, as it was seen (preview). */
export type ReferralValidity = { valid?: boolean | null | undefined };

// An empty object says that no campaign is active.
function readReferral(data: unknown): Reading<Referral | null> {
  const referral = data as Partial<Referral>;
  if (Object.keys(referral).length === 0) return { means: 'result', result: null };
  return typeof referral.code === 'string' && referral.code !== ''
    ? { means: 'result', result: data as Referral }
    : { means: 'unusable', path: 'code', rule: 'is missing' };
}

/** GET /v1/referral */
export const getReferral: Endpoint<NoInput, Referral | null> = {
  id: 'referral.get',
  method: 'GET',
  path: '/v1/referral',
  credentials: ['clientKey', 'accessToken'],
  routing: 'header',
  stability: 'contract',
  repeat: READ,
  input: input({}),
  sendsBody: false,
  answers: {
    200: {
      schema: answer({ code: maybe(text), cap: maybe(number), used: maybe(number) }),
      essential: answer({}),
    },
  },
  whenEmpty: { result: null },
  read: readReferral,
  errors: [401, 403, 500],
  businessErrors: [],
  secrets: [],
};

/** GET /v1/referral/{code}/validate (preview) */
export const validateReferral: Endpoint<ValidateReferralInput, ReferralValidity> = {
  id: 'referral.validate',
  method: 'GET',
  path: '/v1/referral/{code}/validate',
  credentials: ['clientKey'],
  routing: 'header',
  stability: 'preview',
  repeat: READ,
  input: input({ code: pathId }),
  sendsBody: false,
  answers: { 200: { schema: answer({}) } },
  errors: [],
  businessErrors: [],
  secrets: [],
};
