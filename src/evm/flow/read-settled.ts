import { ChainReadError } from '../../delegation/wallet-errors.js';
import type { EvmRun } from './plan.js';

/** Behind one URL there are often several nodes, of which one can be some seconds behind. */
const MAX_LAG_MS = 30_000;
/** Ends the wait if the clock stands still. */
const MAX_READS = 40;

/**
 * Reads a value that a confirmed transaction determines, and reads it again while it is not as
 * expected, with growing pauses. Returns the last value: only after this time is a difference more
 * than a delay.
 */
export async function readSettled<T>(
  { plan: { pollingInterval, confirmationTimeout }, context }: EvmRun,
  read: () => Promise<T>,
  isExpected: (value: T) => boolean,
): Promise<T> {
  const start = context.now();
  const limit = Math.min(MAX_LAG_MS, confirmationTimeout);
  for (let look = 1; ; look++) {
    const waited = context.now() - start;
    const isLast = waited >= limit || look === MAX_READS;
    try {
      const value = await read();
      if (isExpected(value) || isLast) return value;
    } catch (error) {
      if (isLast || !(error instanceof ChainReadError)) throw error;
    }
    await context.sleep(Math.max(pollingInterval, waited / 2));
  }
}
