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
    if (!isReadable(current) || found.has(current)) continue;
    const [name, code, message, action, receipt, data] = readable(current, [
      'name',
      'code',
      'message',
      'action',
      'receipt',
      'data',
    ]);
    const [cause, inner, info, context, originalError] = readable(current, [
      'cause',
      'error',
      'info',
      'context',
      'originalError',
    ]);
    const [transactionMessage, transactionLogs, logs, kitCode] = readable(current, [
      'transactionMessage',
      'transactionLogs',
      'logs',
      '__code',
    ]);
    const [dataLogs] = isReadable(data) ? readable(data, ['logs']) : [];
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
    queue.push(...nested, isObject(info) ? readable(info, ['error'])[0] : undefined);
  }
  return [...found.values()];
}

/** Whether a value is an object whose fields may be read. A revoked proxy throws at any use. */
function isReadable(value: unknown): value is Readonly<Record<string, unknown>> {
  try {
    return isObject(value);
  } catch {
    return false;
  }
}

/** Reads fields of a foreign object. A field whose getter throws counts as absent. */
export function readable(from: object, names: readonly string[]): unknown[] {
  return names.map((name) => {
    try {
      const value: unknown = Reflect.get(from, name);
      // A revoked proxy throws when it is used.
      Array.isArray(value);
      return value;
    } catch {
      return undefined;
    }
  });
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
