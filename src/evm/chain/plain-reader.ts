import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { isObject } from '../../contract/formats/is-object.js';
import { invalid } from '../../delegation/invalid.js';
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

/** Checks the node and the options of a function that is not a flow, and returns its reader. */
export function plainReader(options: ReadOptions & { publicClient: EvmNode }): ChainReader {
  if (!isObject(options)) return invalid('options', 'must be an object');
  throwIfAborted(options.signal);
  const { publicClient: node } = options;
  if (typeof node?.request !== 'function') invalid('publicClient', 'cannot send a request');
  const { read, sleep } = createReadingContext(options);
  return new ChainReader(node, read, () => sleep(PAUSE_MS));
}
