import { isChainError } from '../../delegation/is-chain-error.js';
import type { ReadingContext } from '../../delegation/reading-context.js';

const INTERVAL_MS = 1_000;

/** How long a read before the approval waits for a node that lags, in milliseconds. */
const LAG_LIMIT_MS = 5_000;

/** How to read again. */
export type ReadAgain<T> = {
  /** What is read, for an error message. */
  what: string;
  read: () => Promise<T>;
  /** Whether the value can be used. One that cannot may come from a node that lags. */
  isUsable?: ((value: T) => boolean) | undefined;
  /** Milliseconds after which the last value or error is final. Default `LAG_LIMIT_MS`. */
  limit?: number | undefined;
};

/**
 * Reads from the node, and reads again while it fails or returns something that cannot be used:
 * behind one URL are many nodes, of which some lag and some refuse a request too many.
 *
 * @throws ChainReadError when the last read failed.
 */
export async function readAgain<T>(
  context: ReadingContext,
  { what, read, isUsable = () => true, limit = LAG_LIMIT_MS }: ReadAgain<T>,
): Promise<T> {
  const startedAt = context.now();
  for (let left = Math.ceil(limit / INTERVAL_MS); ; left--) {
    const isLast = left <= 0 || context.now() - startedAt >= limit;
    try {
      const value = await context.read(what, read);
      if (isLast || isUsable(value)) return value;
    } catch (error) {
      if (isLast || !isChainError(error, 'chain_unreadable')) throw error;
    }
    await context.sleep(INTERVAL_MS);
  }
}
