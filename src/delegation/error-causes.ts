import { isObject } from '../contract/formats/is-object.js';

/** viem puts a node's error under six of its own, and each of them twice in some versions. */
const MAX_ERRORS = 24;

/** The fields of a foreign error that are read. */
export type ErrorCause = {
  readonly name: string;
  readonly code: unknown;
  /** The first line: libraries add the request and the URL of the node in further lines. */
  readonly message: string;
  /** What ethers was doing, for example `estimateGas`. */
  readonly action: unknown;
  /** Whether it carries the receipt of a mined transaction. */
  readonly isMined: boolean;
  /** What a node adds to its error, for example the data with which a contract reverted. */
  readonly data: unknown;
};

/**
 * Returns an error and the errors inside it, outermost first. Wallets and their libraries wrap one
 * another's errors, each under names of its own: `cause` (viem), `error` and `info.error` (ethers),
 * `data` and `data.originalError` (wallets that report -32603).
 */
export function errorCauses(error: unknown): ErrorCause[] {
  const found = new Map<object, ErrorCause>();
  const queue: unknown[] = [error];
  while (queue.length > 0 && found.size < MAX_ERRORS) {
    const current = queue.shift();
    if (!isObject(current) || found.has(current)) continue;
    const { name, code, message, action, receipt, cause, error: inner, info, data } = current;
    found.set(current, {
      name: textOrEmpty(name),
      code,
      message: textOrEmpty(message).split('\n', 1)[0] ?? '',
      action,
      isMined: isObject(receipt),
      data,
    });
    queue.push(cause, inner, fieldOf(info, 'error'), data, fieldOf(data, 'originalError'));
  }
  return [...found.values()];
}

function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
