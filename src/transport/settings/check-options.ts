import { describeUnknownOption } from '../../contract/formats/option-names.js';
import { ConfigurationError } from '../../errors/index.js';
import type { Clock } from '../attempts/clock.js';
import type { Middleware } from '../attempts/middleware.js';
import type { Region } from '../request/wire-request.js';

/**
 * Reads each own option once, so that a getter cannot return something else later. Inherited options
 * do not count, and a misspelled one is refused instead of ignored.
 *
 * @throws ConfigurationError that names the option, and the one that the caller probably means
 */
export function ownOptions<Options>(
  value: unknown,
  names: readonly string[],
  prefix = '',
): Options {
  if (typeof value !== 'object' || value === null) {
    const shown = prefix === '' ? 'the options' : prefix.slice(0, -1);
    throw new ConfigurationError('options', `${shown} must be an object.`);
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) {
      const { shown, message } = describeUnknownOption(name, names, prefix);
      throw new ConfigurationError(shown, message);
    }
    copy[name] = (value as Record<string, unknown>)[name];
  }
  return copy as Options;
}

const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** Checks a duration in milliseconds. `setTimeout` does not wait at all for one above the limit. */
export function requireDuration(value: unknown, option: string, least = 1): number {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= LONGEST_TIMEOUT_MS) {
    return Number(value);
  }
  const range = `from ${least} to ${LONGEST_TIMEOUT_MS}`;
  throw new ConfigurationError(option, `${option} must be whole milliseconds ${range}.`);
}

/** Checks a region. */
export function requireRegion(value: unknown): Region {
  if (value === 'us' || value === 'global') return value;
  throw new ConfigurationError('region', "region must be 'us' or 'global'.");
}

/** Checks an array of middleware. */
export function requireMiddleware(value: unknown): readonly Middleware[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'function')) return [...value];
  throw new ConfigurationError('middleware', 'middleware must be an array of functions.');
}

/** Checks an option that is a function. */
export function requireFunction<T>(value: T | undefined, option: string): T | undefined {
  if (value === undefined || typeof value === 'function') return value;
  throw new ConfigurationError(option, `${option} must be a function.`);
}

/** Checks an object that must have certain functions. */
export function requireObjectWith<T extends object>(
  value: T | undefined,
  option: string,
  functions: readonly (keyof T & string)[],
): T | undefined {
  if (value === undefined) return undefined;
  const isComplete =
    typeof value === 'object' &&
    value !== null &&
    functions.every((name) => typeof value[name] === 'function');
  if (isComplete) return value;
  const names = functions.join(', ');
  throw new ConfigurationError(option, `${option} must have the functions ${names}.`);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/**
 * Checks a clock once, and returns one that returns only finite numbers. If the caller's clock
 * returns something else later, its last number is used: an error in the middle of a call would
 * hide the outcome of the request.
 */
export function requireClock(clock: Clock | undefined): Clock | undefined {
  const given = requireObjectWith(clock, 'clock', ['now', 'elapsed', 'schedule']);
  if (given === undefined) return undefined;
  const steady = (read: () => unknown) => {
    const first = read();
    if (!isFiniteNumber(first)) {
      throw new ConfigurationError('clock', 'clock must return finite milliseconds.');
    }
    let last = first;
    return () => {
      const value = read();
      if (isFiniteNumber(value)) last = value;
      return last;
    };
  };
  return {
    now: steady(() => given.now()),
    elapsed: steady(() => given.elapsed()),
    schedule: (callback, ms, purpose) => given.schedule(callback, ms, purpose),
  };
}
