import { isObject } from '../contract/formats/is-object.js';

const MAX_DEPTH = 5;

/** The fields of a foreign error that are read. */
export type ErrorCause = {
  readonly name: string;
  readonly code: unknown;
  readonly message: string;
};

/**
 * Returns an error and the errors inside it, outermost first. Wallets and their libraries wrap one
 * another's errors, each under a name of its own.
 */
export function errorCauses(error: unknown): ErrorCause[] {
  const found: ErrorCause[] = [];
  let current = error;
  while (isObject(current) && found.length < MAX_DEPTH) {
    const { name, code, message, cause, data, error: inner } = current;
    found.push({ name: textOrEmpty(name), code, message: textOrEmpty(message) });
    current = cause ?? inner ?? (isObject(data) ? data['originalError'] : undefined);
  }
  return found;
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
