import { RequestValidationError } from '../errors/index.js';

/** Throws for an invalid input. The value itself is never part of the message. */
export function invalid(path: string, message: string): never {
  throw new RequestValidationError([{ path, message }]);
}

/** The end of the year 9999: a later time has no RFC 3339 form. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** The longest time that a JavaScript timer can wait. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/** Whether a value is a point in time: milliseconds since 1970, up to the year 9999. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= LAST_TIME;
}

/**
 * A whole number above zero.
 *
 * @throws RequestValidationError that says which option is wrong
 */
export function requirePositiveInteger(path: string, value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
    ? value
    : invalid(path, 'must be a whole number above zero');
}

/**
 * A duration in whole milliseconds that a timer can take.
 *
 * @throws RequestValidationError that says which option is wrong
 */
export function requireDuration(path: string, value: unknown): number {
  const duration = requirePositiveInteger(path, value);
  return duration <= MAX_DURATION_MS
    ? duration
    : invalid(path, `must be at most ${MAX_DURATION_MS} milliseconds`);
}

/**
 * The values that an option may have: any text that is only known when the program runs, but of the
 * texts in the source only known ones, so that the compiler finds a misspelled name.
 */
export type CheckedName<Given, Known extends string> = string extends Given ? string : Known;
