import { isObject } from '../contract/formats/is-object.js';

const MAX_DEPTH = 5;

/**
 * Returns the texts of an error and of the errors inside it: messages, and the logs of a simulated
 * transaction. Wallets wrap the errors of a device, a node or another wallet, and some throw a text.
 */
export function errorTexts(error: unknown, depth = 0): string[] {
  if (typeof error === 'string') return [error];
  if (!isObject(error) || depth === MAX_DEPTH) return [];
  const { message, transactionMessage, transactionLogs, logs } = error;
  const { cause, error: inner, data, context, originalError } = error;
  const own = [message, transactionMessage, transactionLogs, logs].flat();
  return [
    ...own.filter((text) => typeof text === 'string'),
    ...[cause, inner, data, context, originalError].flatMap((next) => errorTexts(next, depth + 1)),
  ];
}
