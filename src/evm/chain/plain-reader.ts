import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { requireDuration } from '../../delegation/numbers.js';
import { sleep, untilAborted, within } from '../../delegation/runtime.js';
import { ChainReadError } from '../../delegation/wallet-errors.js';
import { isCardPlatformError } from '../../errors/index.js';
import type { EvmNode } from './node.js';
import { ChainReader } from './reader.js';

const READ_TIMEOUT_MS = 15_000;
const PAUSE_MS = 500;

/** The options of a function that reads the chain outside of a flow. */
export type ReadOptions = {
  /** Time limit for one read from the node, in whole milliseconds above zero. Default 15,000. */
  readTimeout?: number | undefined;
  /** Aborts the reads, which reject with the signal's reason. */
  signal?: AbortSignal | undefined;
};

/** A reader of the chain for a function that is not a flow. */
export function plainReader(node: EvmNode, options: ReadOptions): ChainReader {
  const { signal } = options;
  const limit = requireDuration('readTimeout', options.readTimeout ?? READ_TIMEOUT_MS);
  const read = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    throwIfAborted(signal);
    const timedOut = () => new ChainReadError(`${what}: timed out`, 'not_sent');
    try {
      return await untilAborted(signal, within(limit, work(), timedOut));
    } catch (error) {
      throwIfAborted(signal);
      throw isCardPlatformError(error) ? error : new ChainReadError(what, 'not_sent', error);
    }
  };
  return new ChainReader(node, read, () => sleep(PAUSE_MS, signal));
}
