import { failureCode, readProperty } from './network-error.js';

const LONGEST = 300;

/** Redacts a text and cuts it to a length. */
export type Clean = (text: string, length: number) => string;

function textOf(value: unknown, name: string): string | undefined {
  const text = readProperty(value, name);
  return typeof text === 'string' && text !== '' ? text : undefined;
}

function nameOf(failure: unknown): string {
  const name = textOf(failure, 'name');
  return name !== undefined && /^[A-Za-z]{1,40}$/.test(name) ? name : 'Error';
}

/**
 * A copy of a failure that is safe to keep: name, code and system call. The original may quote the
 * request or hold it.
 *
 * @param clean - keeps the message, redacted; without it the message is the code
 */
export function causeOf(failure: unknown, clean?: Clean): Error | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined;
  const code = failureCode(failure);
  const original = clean && textOf(failure, 'message');
  const message =
    original === undefined
      ? (code ?? 'the runtime reported no reason')
      : clean?.(original, LONGEST);
  const cause = new Error(message);
  cause.name = nameOf(failure);
  if (code !== undefined) Object.assign(cause, { code });
  const syscall = textOf(failure, 'syscall');
  if (syscall !== undefined && /^[a-z]{1,20}$/.test(syscall)) Object.assign(cause, { syscall });
  return cause;
}

/** Describes a thrown value in a few words, for a message. */
export function describeThrown(failure: unknown, clean: Clean): string {
  if (typeof failure === 'string') return `the text "${clean(failure, LONGEST)}"`;
  if (typeof failure === 'function') return 'a function';
  if (typeof failure !== 'object' || failure === null) return String(failure);
  const message = textOf(failure, 'message');
  return message === undefined ? nameOf(failure) : `${nameOf(failure)}: ${clean(message, LONGEST)}`;
}
