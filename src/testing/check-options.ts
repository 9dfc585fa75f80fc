import { nearestName } from '../contract/formats/nearest-name.js';
import { describeUnknownOption } from '../contract/formats/option-names.js';
import { parseWebUrl } from '../contract/formats/url.js';

/**
 * Refuses an option that does not exist: a mistyped one would be silently ignored.
 *
 * @throws TypeError that says which option is wrong, and which one is probably meant
 */
export function requireKnownOptions(what: string, given: object, known: readonly string[]): void {
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what}: the options must be an object`);
  }
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(`${what}: ${describeUnknownOption(unknown, known).message}`);
}

/**
 * Returns a value that is on a list.
 *
 * @throws TypeError with the argument, the nearest allowed value and all others
 */
export function requireOneOf<const Value>(
  name: string,
  given: unknown,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((value) => value === given);
  if (found !== undefined) return found;
  const names = allowed.filter((value) => typeof value === 'string');
  const nearest = typeof given === 'string' ? nearestName(given, names) : undefined;
  throw new TypeError(
    `${name} must be one of ${allowed.join(', ')}` +
      (nearest === undefined ? '' : `. The nearest is "${nearest}"`),
  );
}

/**
 * Returns a text that is not empty.
 *
 * @throws TypeError that says which argument is wrong, for any other value
 */
export function requireText(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new TypeError(`${name} must be a non-empty string`);
}

/**
 * Refuses anything but `true` and `false`.
 *
 * @throws TypeError that says which argument is wrong
 */
export function requireFlag(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw new TypeError(`${name} must be true or false`);
}

/**
 * Refuses anything but a function.
 *
 * @throws TypeError that says which argument is wrong
 */
export function requireFunction(name: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function`);
}

/** The end of the year 9999: a later time has no four-digit year. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** The longest delay that a JavaScript timer accepts. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/**
 * Returns a time that the platform's clock can show, in milliseconds since 1970.
 *
 * @throws TypeError that says which argument is wrong, for any other value
 */
export function requireTime(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LAST_MOMENT) return value;
  throw new TypeError(`${name} must be milliseconds since 1970, up to the year 9999`);
}

/**
 * Returns a whole number that is not below a minimum.
 *
 * @throws TypeError that says which argument is wrong, for any other value
 */
export function requireInteger(name: string, value: unknown, minimum = 0): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new TypeError(`${name} must be a whole number, at least ${minimum}`);
}

/**
 * Returns a delay that a timer accepts, in milliseconds.
 *
 * @throws TypeError that says which argument is wrong, for any other value
 */
export function requireWait(name: string, value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= LONGEST_WAIT_MS) return value;
  throw new TypeError(`${name} must be milliseconds from 0 to ${LONGEST_WAIT_MS}`);
}

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * Returns a URL on this machine.
 *
 * @throws Error for any other URL: a test must not send signed events to a stranger
 */
export function requireLoopback(to: string): string {
  const url = parseWebUrl(to);
  if (url?.scheme === 'http' && LOOPBACK.test(url.host)) return to;
  throw new Error(
    'deliveries are sent to an http URL on this machine only, such as http://127.0.0.1:3000/',
  );
}
