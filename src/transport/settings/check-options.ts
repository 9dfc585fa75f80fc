import type { Credential, Endpoint, ResponseKind } from '../../contract/endpoint.js';
import { isObject } from '../../contract/formats/is-object.js';
import { describeUnknownOption } from '../../contract/formats/option-names.js';
import type { Schema } from '../../contract/schema.js';
import { ConfigurationError } from '../../errors/index.js';
import type { Clock } from '../attempts/clock.js';
import type { Middleware } from '../attempts/middleware.js';
import type { Region } from '../request/wire-request.js';
import { UNSAFE_KEYS } from '../response/json.js';

/** Refuses an option. The rule completes the sentence that starts with its name. */
export function refuse(option: string, rule: string): never {
  throw new ConfigurationError(option, `${option} ${rule}.`);
}

/**
 * Reads each own option once, so that a getter cannot return something else later. Inherited options
 * do not count, and a misspelled one is refused instead of ignored.
 *
 * @throws ConfigurationError that says which option is wrong, and which one is probably meant
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
  return refuse(option, `must be whole milliseconds ${range}`);
}

/** Checks a region. */
export function requireRegion(value: unknown): Region {
  if (value === 'us' || value === 'global') return value;
  return refuse('region', "must be 'us' or 'global'");
}

/** Checks an array of middleware. */
export function requireMiddleware(value: unknown): readonly Middleware[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'function')) return [...value];
  return refuse('middleware', 'must be an array of functions');
}

/** Checks an option that is a function. */
export function requireFunction<T>(value: T | undefined, option: string): T | undefined {
  if (value === undefined || typeof value === 'function') return value;
  return refuse(option, 'must be a function');
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
  return refuse(option, `must have the functions ${names}`);
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
    if (!isFiniteNumber(first)) return refuse('clock', 'must return finite milliseconds');
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

export const METHODS: readonly Endpoint['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
export const RESPONSE_KINDS: readonly ResponseKind[] = ['json', 'text', 'bytes'];
const CREDENTIALS: readonly Credential[] = ['clientKey', 'clientId', 'secretKey', 'accessToken'];
const SEGMENT = /^(?!\.{1,2}$)(?:[A-Za-z0-9._~-]{1,200}|\{[A-Za-z]{1,60}\})$/;
const ID = /^[A-Za-z][A-Za-z0-9._-]{0,99}$/;
const ACCEPT = /^[\x21-\x7e][\x20-\x7e]{0,199}$/;
const MOST_BYTES = 2 ** 30;

/** Checks a path template. */
export function requirePath(path: unknown): string {
  const segments = typeof path === 'string' && path.startsWith('/') ? path.slice(1).split('/') : [];
  if (segments.length > 0 && segments.every((segment) => SEGMENT.test(segment))) {
    return String(path);
  }
  return refuse('path', 'must be a path template such as /v1/things/{id}, without query or host');
}

/** Checks an array of credentials. */
export function requireCredentials(value: unknown, option: string): readonly Credential[] {
  if (Array.isArray(value) && value.every((name) => CREDENTIALS.includes(name))) return [...value];
  return refuse(option, `must be an array of ${CREDENTIALS.join(', ')}`);
}

/** Checks an option that takes one of a few values. */
export function requireOneOf<const T extends string | boolean>(
  value: unknown,
  option: string,
  known: readonly T[],
): T {
  const found = known.find((one) => one === value);
  return found ?? refuse(option, `must be one of ${known.join(', ')}`);
}

/** Checks an array of names. */
export function requireNames(names: unknown, option: string): readonly string[] {
  if (names === undefined) return [];
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) {
    return [...new Set<string>(names)];
  }
  return refuse(option, 'must be an array of names');
}

/** Checks a schema. */
export function requireSchema(schema: unknown, option: string): Schema | undefined {
  if (schema === undefined) return undefined;
  // A schema may be a function, as those of arktype are.
  const { '~standard': standard } = Object(schema) as Partial<Schema>;
  if (typeof standard?.validate === 'function') return schema as Schema;
  return refuse(option, 'must be a Standard Schema');
}

/** Checks the id of an endpoint outside the contract. It appears in errors and logs. */
export function requireId(id: unknown, option = 'id'): string {
  if (typeof id === 'string' && ID.test(id)) return id;
  return refuse(option, 'must be a name such as statements.download');
}

/** Checks a header `accept`. */
export function requireAccept(accept: unknown): string {
  if (typeof accept === 'string' && ACCEPT.test(accept)) return accept;
  return refuse('accept', 'must be media types such as text/csv');
}

/** Checks an array of error statuses. */
export function requireStatuses(given: unknown): readonly number[] {
  if (given === undefined) return [];
  const isStatus = (one: unknown) =>
    Number.isInteger(one) && Number(one) >= 400 && Number(one) < 600;
  if (Array.isArray(given) && given.every(isStatus)) return [...new Set<number>(given)];
  return refuse('errors', 'must be an array of error statuses from 400 to 599');
}

/** Checks the names that input fields have on the wire. */
export function requireWireNames(
  given: unknown,
  option = 'wireNames',
): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  if (!isObject(given)) return refuse(option, 'must be an object');
  const names = Object.entries(given);
  const isName = (name: unknown) =>
    typeof name === 'string' && name !== '' && !UNSAFE_KEYS.has(name);
  if (!names.every(([, name]) => isName(name))) {
    refuse(option, 'must be names that a JSON object may have');
  }
  if (new Set(names.map(([, name]) => name)).size < names.length) {
    refuse(option, 'must not send two fields under one name');
  }
  return Object.fromEntries(names) as Record<string, string>;
}

/** Checks the longest success body, in bytes. */
export function requireBytes(value: unknown): number {
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MOST_BYTES) {
    return Number(value);
  }
  return refuse('maxResponseBytes', `must be a whole number of bytes from 1 to ${MOST_BYTES}`);
}
