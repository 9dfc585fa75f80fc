import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { isObject } from '../../contract/formats/is-object.js';
import { invalid } from '../../delegation/invalid.js';
import { createReadingContext, type ReadingOptions } from '../../delegation/reading-context.js';
import type { EvmNode } from './node.js';
import { ChainReader } from './reader.js';

const PAUSE_MS = 500;

/** Checks the node and the options of a function that is not a flow, and returns its reader. */
export function plainReader(options: ReadingOptions & { node: EvmNode }): ChainReader {
  if (!isObject(options)) return invalid('options', 'must be an object');
  throwIfAborted(options.signal);
  const { node } = options;
  if (typeof node?.request !== 'function') invalid('node', 'cannot send a request');
  const { read, sleep } = createReadingContext(options);
  return new ChainReader(node, read, () => sleep(PAUSE_MS));
}
