import { LISTS } from '../contract/lists.js';
import { ConfigurationError } from '../errors/index.js';
import type { BackoffOptions } from './backoff.js';
import { requireBaseUrl } from './base-url.js';
import { type Clock, systemClock } from './clock.js';
import { Credentials } from './credentials.js';
import { denoFetch } from './deno-fetch.js';
import { DriftReporter } from './drift.js';
import type { ExchangeFetch } from './exchange.js';
import { requireCredential } from './header-safety.js';
import type { Logger } from './logging.js';
import type { Middleware } from './middleware.js';
import { nodeFetch } from './node-fetch.js';
import type { ClientOptions, RetryOptions } from './options.js';
import { RetryBudget } from './retry-budget.js';
import { isBrowser, isNode } from './runtime.js';
import { type AccessToken, TokenSource } from './token-source.js';
import type { Additions } from './validate.js';
import type { Region } from './wire-request.js';

/** What the machine gives, handed in so that tests need no waiting and no luck. */
export type Environment = {
  clock: Clock;
  /** A number from 0 up to 1. */
  random: () => number;
  /** Whether page users can read what the client holds. */
  inBrowser: boolean;
  /** Whether error codes prove that nothing was sent; only Node's do. */
  provesNonDelivery: boolean;
};

/** How attempts are repeated. */
export type RetrySettings = BackoffOptions & { maxRetries: number };

/** Everything that a call needs, checked once. */
export type Settings = {
  baseUrl: string;
  credentials: Credentials;
  region: Region;
  /** Milliseconds; `undefined` leaves the choice to the endpoint. */
  timeout: number | undefined;
  totalTimeout: number;
  retry: RetrySettings;
  budget: RetryBudget;
  fetch: ExchangeFetch;
  middleware: readonly Middleware[];
  logger: Logger | undefined;
  strict: boolean;
  drift: DriftReporter;
  additions: Additions;
  environment: Environment;
};

/** Milliseconds per attempt, where neither caller nor endpoint says otherwise. */
export const DEFAULT_TIMEOUT_MS = 15_000;
const DEFAULT_TOTAL_TIMEOUT_MS = 60_000;
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

const DEFAULT_RETRY: RetrySettings = {
  maxRetries: 5,
  baseDelay: 250,
  maxDelay: 4_000,
  maxRetryAfter: 30_000,
};

/** Checks a duration in milliseconds. `setTimeout` turns what is longer into no delay at all. */
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

/** Checks a list of middleware. */
export function requireMiddleware(value: unknown): readonly Middleware[] {
  if (Array.isArray(value) && value.every((one) => typeof one === 'function')) return [...value];
  throw new ConfigurationError('middleware', 'middleware must be an array of functions.');
}

/** Checks what is said about repeats and fills in the rest. */
export function requireRetry(value: unknown, base: RetrySettings = DEFAULT_RETRY): RetrySettings {
  if (value === false) return { ...base, maxRetries: 0 };
  if (value === true || value === undefined) return base;
  if (typeof value !== 'object' || value === null) {
    throw new ConfigurationError('retry', 'retry must be true, false or an object.');
  }
  const options = ownOptions<RetryOptions>(value, Object.keys(DEFAULT_RETRY), 'retry.');
  const { maxRetries = base.maxRetries } = options;
  if (!Number.isInteger(maxRetries) || maxRetries < 0 || maxRetries > 5) {
    throw new ConfigurationError('retry.maxRetries', 'retry.maxRetries must be 0 to 5.');
  }
  const duration = (name: 'baseDelay' | 'maxDelay' | 'maxRetryAfter') =>
    requireDuration(options[name] ?? base[name], `retry.${name}`, 0);
  return {
    maxRetries,
    baseDelay: duration('baseDelay'),
    maxDelay: duration('maxDelay'),
    maxRetryAfter: duration('maxRetryAfter'),
  };
}

/**
 * Reads each own option once, so that a getter cannot answer differently later; inherited ones do
 * not count, and a misspelled one is refused instead of ignored.
 */
export function ownOptions<Options>(
  value: unknown,
  names: readonly string[],
  prefix = '',
): Options {
  if (typeof value !== 'object' || value === null) {
    throw new ConfigurationError('options', `${prefix || 'the '}options must be an object.`);
  }
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (!names.includes(name)) {
      const shown = /^[A-Za-z]{1,40}$/.test(name) ? `${prefix}${name}` : 'an option';
      throw new ConfigurationError(shown, `${shown} is not a known option.`);
    }
    copy[name] = (value as Record<string, unknown>)[name];
  }
  return copy as Options;
}

function requireFunction<T>(value: T | undefined, option: string): T | undefined {
  if (value === undefined || typeof value === 'function') return value;
  throw new ConfigurationError(option, `${option} must be a function.`);
}

function requireLogger(logger: Logger | undefined): Logger | undefined {
  if (logger === undefined) return undefined;
  if (typeof logger?.debug === 'function' && typeof logger.warn === 'function') return logger;
  throw new ConfigurationError('logger', 'logger must have the functions debug and warn.');
}

function requireAdditions(additions: Additions = {}): Additions {
  const copy = ownOptions<Record<string, readonly string[] | undefined>>(
    additions,
    Object.keys(LISTS),
    'additions.',
  );
  for (const [name, values] of Object.entries(copy)) {
    const isList = Array.isArray(values) && values.every((value) => typeof value === 'string');
    if (values !== undefined && !isList) {
      const option = `additions.${name}`;
      throw new ConfigurationError(option, `${option} must be an array of strings.`);
    }
  }
  return structuredClone(copy);
}

function requireValidation(value: unknown): boolean {
  if (value === undefined || value === 'tolerant') return false;
  if (value === 'strict') return true;
  throw new ConfigurationError(
    'responseValidation',
    "responseValidation must be 'strict' or 'tolerant'.",
  );
}

function readCredentials(options: ClientOptions, environment: Environment): Credentials {
  if (options.secretKey !== undefined && environment.inBrowser) {
    throw new ConfigurationError(
      'secretKey',
      'secretKey must not reach a browser, where every visitor can read it: use it on your server.',
    );
  }
  const key = (name: 'clientKey' | 'clientId' | 'secretKey') =>
    options[name] === undefined ? {} : { [name]: requireCredential(options[name], name) };
  return new Credentials({
    ...key('clientKey'),
    ...key('clientId'),
    ...key('secretKey'),
    tokens: readTokens(options.accessToken, environment.clock),
  });
}

/** The source of a token that a caller gave, if any. */
export function readTokens(token: AccessToken | undefined, clock: Clock): TokenSource | undefined {
  return token === undefined ? undefined : new TokenSource(token, clock);
}

const OPTION_NAMES: readonly (keyof ClientOptions)[] = [
  'baseUrl',
  'clientKey',
  'clientId',
  'secretKey',
  'accessToken',
  'region',
  'timeout',
  'totalTimeout',
  'retry',
  'fetch',
  'middleware',
  'logger',
  'responseValidation',
  'onDrift',
  'additions',
];

/** The environment of this machine, but for what a test replaces. */
export function resolveEnvironment(replaced: Partial<Environment> = {}): Environment {
  return {
    clock: replaced.clock ?? systemClock,
    random: replaced.random ?? Math.random,
    inBrowser: replaced.inBrowser ?? isBrowser(),
    provesNonDelivery: replaced.provesNonDelivery ?? isNode(),
  };
}

/**
 * Checks the options of a client and fills in the rest.
 *
 * @throws ConfigurationError that names the option
 */
export function resolveSettings(given: ClientOptions, environment: Environment): Settings {
  const options = ownOptions<ClientOptions>(given, OPTION_NAMES);
  const { timeout, totalTimeout = DEFAULT_TOTAL_TIMEOUT_MS, region = 'global' } = options;
  return {
    baseUrl: requireBaseUrl(options.baseUrl),
    credentials: readCredentials(options, environment),
    region: requireRegion(region),
    timeout: timeout === undefined ? undefined : requireDuration(timeout, 'timeout'),
    totalTimeout: requireDuration(totalTimeout, 'totalTimeout'),
    retry: requireRetry(options.retry),
    budget: new RetryBudget(),
    // Looked up at each call, so that a mock which is installed later is used.
    fetch:
      requireFunction(options.fetch, 'fetch') ??
      ((url, init) => (nodeFetch() ?? denoFetch() ?? globalThis.fetch)(url, init)),
    middleware: requireMiddleware(options.middleware ?? []),
    logger: requireLogger(options.logger),
    strict: requireValidation(options.responseValidation),
    drift: new DriftReporter(requireFunction(options.onDrift, 'onDrift')),
    additions: requireAdditions(options.additions),
    environment,
  };
}
