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
  /** The text of a Solana node, where @solana/web3.js keeps it apart from its own. */
  readonly nodeMessage: string;
  /** The JSON-RPC code of a Solana node, or another code, as @solana/kit keeps it. */
  readonly kitCode: unknown;
  /** Whether it carries the logs of a transaction, which may be none. */
  readonly hasLogs: boolean;
  /** The whole message, the logs of a simulated transaction, and texts in place of inner errors. */
  readonly texts: readonly string[];
};

/**
 * Returns an error and the errors inside it, outermost first. Wallets and their libraries wrap one
 * another's errors, each under its own names: `cause` (viem), `error` and `info.error` (ethers),
 * `data` and its `originalError` (wallets that report -32603), `context` (@solana/kit). Some wallets
 * throw a string.
 */
export function errorCauses(error: unknown): ErrorCause[] {
  const found = new Map<object, ErrorCause>();
  const queue: unknown[] = [typeof error === 'string' ? { message: error } : error];
  while (queue.length > 0 && found.size < MAX_ERRORS) {
    const current = queue.shift();
    if (!isObject(current) || found.has(current)) continue;
    const { name, code, message, action, receipt, data } = current;
    const { cause, error: inner, info, context, originalError } = current;
    const { transactionMessage, transactionLogs, logs, __code: kitCode } = current;
    const { logs: dataLogs } = Object(data) as { logs?: unknown };
    const nested = [cause, inner, data, context, originalError];
    const texts = [message, transactionMessage, transactionLogs, logs].flat();
    found.set(current, {
      name: textOrEmpty(name),
      code,
      message: textOrEmpty(message).split('\n', 1)[0] ?? '',
      action,
      isMined: isObject(receipt),
      data,
      nodeMessage: textOrEmpty(transactionMessage),
      kitCode,
      hasLogs: [transactionLogs, logs, dataLogs].some(Array.isArray),
      texts: [...texts, ...nested].filter((text) => typeof text === 'string'),
    });
    queue.push(...nested, isObject(info) ? info['error'] : undefined);
  }
  return [...found.values()];
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
