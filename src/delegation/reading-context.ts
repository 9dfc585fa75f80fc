import { throwIfAborted, untilAborted } from '../contract/formats/abort-reason.js';
import { isCardPlatformError, type Outcome } from '../errors/index.js';
import { requireDuration } from './check-values.js';
import type { DriverContext } from './driver.js';
import { isChainError } from './is-chain-error.js';
import { type DelegationRuntime, sleep, within } from './runtime.js';
import { ChainReadError } from './wallet-errors.js';

/** The part of a flow that reads the chain. */
export type ReadingContext = Pick<DriverContext, 'now' | 'sleep' | 'read' | 'outcome'>;

/** The options of a function that only reads. */
export type ReadingOptions = {
  /** Aborts the reads, which reject with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Clock and timers. Default: the real ones. */
  runtime?: DelegationRuntime | undefined;
  /** Time limit for one read from a node, in whole milliseconds above zero. Default 15,000. */
  readTimeout?: number | undefined;
};

const READ_TIMEOUT_MS = 15_000;

/**
 * Returns the functions that read the chain with a time limit.
 *
 * @param outcome the outcome of a failure now. Default `not_sent`.
 * @throws RequestValidationError for an invalid time limit
 */
export function createReadingContext(
  { signal, runtime, readTimeout = READ_TIMEOUT_MS }: ReadingOptions,
  outcome: () => Outcome = () => 'not_sent',
): ReadingContext {
  const limit = requireDuration('readTimeout', readTimeout);
  return {
    now: () => (runtime?.now ?? Date.now)(),
    outcome,
    async sleep(milliseconds) {
      await (runtime?.sleep ?? sleep)(milliseconds, signal);
      throwIfAborted(signal);
    },
    async read(what, read) {
      throwIfAborted(signal);
      const timedOut = () => new ChainReadError(`${what}: timed out`, outcome());
      try {
        return await untilAborted(signal, within(limit, read(), timedOut));
      } catch (error) {
        throwIfAborted(signal);
        throw isCardPlatformError(error) ? error : new ChainReadError(what, outcome(), error);
      }
    },
  };
}

/** Returns the result of a read; `undefined` if the node could not be read, which proves nothing. */
export async function ifReadable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isChainError(error, 'chain_unreadable')) return undefined;
    throw error;
  }
}
