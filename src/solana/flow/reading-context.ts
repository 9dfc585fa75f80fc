import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import type { DriverContext } from '../../delegation/driver.js';
import type { DelegationRuntime } from '../../delegation/runtime.js';
import { sleep, untilAborted, within } from '../../delegation/runtime.js';
import { ChainReadError } from '../../delegation/wallet-errors.js';
import { isCardPlatformError } from '../../errors/index.js';

/** What reading the chain needs of the flow. */
export type ReadingContext = Pick<DriverContext, 'now' | 'sleep' | 'read'>;

/** The options of a function that only reads. */
export type ReadingOptions = {
  /** Aborts the reading. */
  signal?: AbortSignal | undefined;
  /** Clock and timers. Default: the real ones. */
  runtime?: DelegationRuntime | undefined;
  /** Time limit for one read from a node, in whole milliseconds above zero. Default 15,000. */
  readTimeout?: number | undefined;
};

const READ_TIMEOUT_MS = 15_000;

/** Reads outside of a delegation. */
export function createReadingContext(options: ReadingOptions): ReadingContext {
  const { signal, runtime, readTimeout = READ_TIMEOUT_MS } = options;
  return {
    now: () => (runtime?.now ?? Date.now)(),
    async sleep(milliseconds) {
      await (runtime?.sleep ?? sleep)(milliseconds, signal);
      throwIfAborted(signal);
    },
    async read(what, read) {
      throwIfAborted(signal);
      const timedOut = () => new ChainReadError(`${what}: timed out`, 'not_sent');
      try {
        return await untilAborted(signal, within(readTimeout, read(), timedOut));
      } catch (error) {
        throwIfAborted(signal);
        throw isCardPlatformError(error) ? error : new ChainReadError(what, 'not_sent', error);
      }
    },
  };
}
