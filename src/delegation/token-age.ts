import type { DriverContext } from './driver.js';
import type { DelegationState } from './state.js';

/** How long a delegation token lives, in milliseconds. The contract says: about ten minutes. */
const TOKEN_LIFETIME_MS = 600_000;

/**
 * What a saved token has to have left before a message is made of it, in milliseconds: what the
 * approval needs, and time for the user to sign.
 */
export const MIN_TIME_TO_SIGN_MS = 420_000;

/** What a token has to have left before a wallet is asked to approve, in milliseconds. */
export const MIN_TIME_TO_APPROVE_MS = 300_000;

/** What a token has to have left before the proof is posted, in milliseconds. */
export const MIN_TIME_TO_SUBMIT_MS = 15_000;

/**
 * What a token has left to live, in milliseconds, counted from before it was asked for. A token
 * from the future (the clock was set back) counts as run out.
 */
export function tokenTimeLeft(token: DelegationState['token'], now: number): number {
  if (token === undefined || token.requestedAt > now) return 0;
  return Math.max(0, token.requestedAt + TOKEN_LIFETIME_MS - now);
}

/** A clock may show fractions of a millisecond; the text of a message cannot. */
const ROUNDING_MS = 1;

/** Whether a saved message still holds, and ends with its token at the latest. */
export function isWithinToken(
  expiresAt: number,
  context: Pick<DriverContext, 'serverNow' | 'tokenExpiresAt'>,
): boolean {
  return expiresAt > context.serverNow() && expiresAt <= context.tokenExpiresAt() + ROUNDING_MS;
}
