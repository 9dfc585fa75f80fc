import { DELEGATION_TOKEN_LIFETIME_MS } from '../contract/formats/token-lifetimes.js';
import type { DriverContext } from './driver.js';
import type { DelegationState } from './state.js';

/**
 * How long a saved token must still be valid before a message is built, in milliseconds: enough for
 * the user to sign and for the approval.
 */
export const MIN_TIME_TO_SIGN_MS = 420_000;

/** How long a token must still be valid before the wallet is asked to approve, in milliseconds. */
export const MIN_TIME_TO_APPROVE_MS = 300_000;

/** How long a token must still be valid before the proof is submitted, in milliseconds. */
export const MIN_TIME_TO_SUBMIT_MS = 15_000;

/**
 * How long a token is still valid, in milliseconds, counted from before it was requested. A token
 * from the future (the clock was set back) counts as expired.
 */
export function tokenTimeLeft(token: DelegationState['token'], now: number): number {
  if (token === undefined || token.requestedAt > now) return 0;
  return Math.max(0, token.requestedAt + DELEGATION_TOKEN_LIFETIME_MS - now);
}

/** A clock may have fractions of a millisecond; the text of a message cannot. */
const ROUNDING_MS = 1;

/** Whether a saved message has not expired, and expires no later than its token. */
export function isWithinToken(
  expiresAt: number,
  context: Pick<DriverContext, 'serverNow' | 'tokenExpiresAt'>,
): boolean {
  return expiresAt > context.serverNow() && expiresAt <= context.tokenExpiresAt() + ROUNDING_MS;
}
