import { nearestName } from '../../contract/formats/nearest-name.js';
import { ConfigurationError } from '../../errors/index.js';
import type { Clock } from '../attempts/clock.js';
import type { Middleware } from '../attempts/middleware.js';
import type { Region } from '../request/wire-request.js';

/** What other clients call an option, in lower case, and its name here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  apikey: 'clientKey',
  publickey: 'clientKey',
  secret: 'secretKey',
  apisecret: 'secretKey',
  token: 'accessToken',
  bearer: 'accessToken',
  bearertoken: 'accessToken',
  authtoken: 'accessToken',
  url: 'baseUrl',
  host: 'baseUrl',
  endpoint: 'baseUrl',
  apiurl: 'baseUrl',
  maxretries: 'retry.maxRetries',
  retries: 'retry.maxRetries',
  timeoutms: 'timeout',
  deadline: 'totalTimeout',
  now: 'clock',
  httpagent: 'agent',
  httpsagent: 'agent',
  defaultheaders: 'headers',
  strict: 'responseValidation',
  storage: 'store',
};

/** A name that differs from the nearest one in more than this share of its letters is no misspelling. */
const MOST_LETTERS_WRONG = 0.4;

/** Returns the option that the caller probably means. */
function meantOption(name: string, names: readonly string[]): string | undefined {
  const other = Object.hasOwn(OTHER_NAMES, name.toLowerCase())
    ? OTHER_NAMES[name.toLowerCase()]
    : undefined;
  const isHere = names.some((known) => other === known || other?.startsWith(`${known}.`));
  if (isHere) return other;
  return nearestName(name, names, MOST_LETTERS_WRONG);
}

function unknownOption(name: string, names: readonly string[], prefix: string): ConfigurationError {
  // The name of an option may hold a value that was put in the wrong place.
  if (!/^[A-Za-z][A-Za-z.]{0,39}$/.test(name)) {
    return new ConfigurationError('an option', 'an option is not a known option.');
  }
  const meant = meantOption(name, names);
  const advice = meant === undefined ? '' : ` Did you mean ${prefix}${meant}?`;
  const shown = `${prefix}${name}`;
  return new ConfigurationError(shown, `${shown} is not a known option.${advice}`);
}

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
    if (!names.includes(name)) throw unknownOption(name, names, prefix);
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
