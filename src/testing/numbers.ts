/** The end of the year 9999: a later time has no four-digit year. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** The longest wait that a timer of JavaScript can take. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * A time that the platform's clock can show, in milliseconds since 1970.
 *
 * @throws TypeError that names the argument
 */
export function requireTime(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LAST_TIME) return value;
  throw new TypeError(`${name} must be milliseconds since 1970, up to the year 9999`);
}

/**
 * A whole number from a least one up.
 *
 * @throws TypeError that names the argument
 */
export function requireWhole(name: string, value: unknown, least = 0): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
  throw new TypeError(`${name} must be a whole number from ${least} up`);
}

/**
 * A wait in milliseconds that a timer can take.
 *
 * @throws TypeError that names the argument
 */
export function requireWait(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LONGEST_WAIT_MS) return value;
  throw new TypeError(`${name} must be milliseconds from 0 to ${LONGEST_WAIT_MS}`);
}
