import { isCardPlatformError, type Outcome } from '../errors/base.js';
import { outcomeOf } from '../transport/outcome/outcome-of.js';

/** The next step after a failed call; see {@link afterwards}. */
export type Afterwards = 'retry' | 'look' | 'leave';

const NEXT_STEP: Readonly<Record<Outcome, Afterwards>> = {
  not_sent: 'retry',
  rejected: 'leave',
  unknown: 'look',
  executed: 'leave',
};

/**
 * Returns what to do after a failed call, from its outcome. Takes anything that a call rejects
 * with: errors of this package, reasons of an abort, and what your middleware threw.
 *
 * - `retry`: another call can do no harm: nothing was done, or the call only reads, has the same
 *   effect twice, or at most leaves another short-lived token or URL. Offer the button again. An
 *   invalid input must be corrected first.
 * - `look`: the service may have acted. Read the current state before you offer the button again.
 * - `leave`: the service refused it, or acted on it. Trying again will not help.
 *
 * For a value that no call has rejected with, it returns `look`.
 *
 * @example
 * ```ts
 * import { afterwards } from 'card-platform-sdk/query';
 *
 * try {
 *   await user.wallets.credit.withdraw({ amount: '25' });
 * } catch (error) {
 *   if (afterwards(error) === 'look') console.log(await user.wallets.credit.get());
 * }
 * ```
 */
export function afterwards(error: unknown): Afterwards {
  if (isCardPlatformError(error) && error.isRetryable) return 'retry';
  return NEXT_STEP[outcomeOf(error)];
}
