import { createReadingContext } from '../../delegation/reading-context.js';
import type { EvmNode } from './node.js';
import { ChainReader } from './reader.js';

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
  const { read, sleep } = createReadingContext(options);
  return new ChainReader(node, read, () => sleep(PAUSE_MS));
}
