/** The end of the year 9999: a later time has no four-digit year. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** The longest delay that a JavaScript timer accepts. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Returns a time that the platform's clock can show, in milliseconds since 1970.
 *
 * @throws TypeError that names the argument, for any other value
 */
export function requireTime(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LAST_TIME) return value;
  throw new TypeError(`${name} must be milliseconds since 1970, up to the year 9999`);
}

/**
 * Returns a whole number that is not below a minimum.
 *
 * @throws TypeError that names the argument, for any other value
 */
export function requireInteger(name: string, value: unknown, minimum = 0): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new TypeError(`${name} must be a whole number, at least ${minimum}`);
}

/**
 * Returns a delay that a timer accepts, in milliseconds.
 *
 * @throws TypeError that names the argument, for any other value
 */
export function requireWait(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LONGEST_WAIT_MS) return value;
  throw new TypeError(`${name} must be milliseconds from 0 to ${LONGEST_WAIT_MS}`);
}
