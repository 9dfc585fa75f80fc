import { ENDPOINT_IDS } from '../../contract/endpoint-ids.js';
import { isMissing } from '../../contract/formats/credential.js';
import { isObject } from '../../contract/formats/is-object.js';
import { dropTrailing } from '../../contract/formats/trailing.js';
import { isAppScheme, isLoopbackHost, parseWebUrl } from '../../contract/formats/url.js';
import { type Additions, type AddressFormat, LISTS } from '../../contract/lists.js';
import { ADDRESS_FORMAT_NAMES, addressFormatProblem } from '../../contract/recipients.js';
import { ConfigurationError } from '../../errors/index.js';
import { chooseAdapter } from '../adapters/choose-adapter.js';
import { requireCredential } from '../adapters/header-safety.js';
import { type Host, hostOf } from '../adapters/runtime.js';
import { type AttemptSettings, RetryBudget, type RetrySettings } from '../attempts/attempt-plan.js';
import { type Clock, systemClock } from '../attempts/clock.js';
import { type AccessToken, Credentials, type CredentialsById } from '../credentials/credentials.js';
import type { RequestSettings } from '../request/wire-request.js';
import { DriftReporter, type ResponseSettings } from '../response/drift.js';
import {
  ownOptions,
  requireClock,
  requireCredentials,
  requireDuration,
  requireFunction,
  requireMiddleware,
  requireObjectWith,
  requireRegion,
} from './check-options.js';
import { type Journal, requireJournal } from './journal-option.js';
import type { ClientOptions, RetryOptions } from './options.js';

function refuseBaseUrl(rule: string): never {
  throw new ConfigurationError('baseUrl', `baseUrl ${rule}.`);
}

const HAS_USER = /^https?:\/\/[^/?#]*@/i;
/** A path that no runtime spells differently: the paths of calls are appended to it. */
const PATH = /^(?:\/(?!(?:\.|%2e){1,2}(?:\/|$))(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})*)+$/i;

/**
 * Checks the URL that all credentials go to, and returns it without a trailing slash. The error
 * never contains the URL, because it may contain credentials.
 *
 * @throws ConfigurationError when it is not https (or http on a loopback host), or contains more
 *   than scheme, host, port and path
 */
export function requireBaseUrl(baseUrl: unknown): string {
  const text = typeof baseUrl === 'string' && !/[\s\\\p{Cc}]/u.test(baseUrl) ? baseUrl : '';
  if (HAS_USER.test(text)) refuseBaseUrl('must not contain a user name or password');
  const url = parseWebUrl(text);
  if (url === undefined) {
    return refuseBaseUrl(
      /^[a-z][a-z\d+.-]*:\/\/\w/i.test(text) && !/^https?:/i.test(text)
        ? 'must be https (http only on a loopback host)'
        : `${baseUrl === undefined ? 'is missing: it' : ''} must be an absolute URL, for example https://api.example.com`.trim(),
    );
  }
  if (url.scheme !== 'https' && !isLoopbackHost(url.host)) {
    refuseBaseUrl('must be https (http only on a loopback host)');
  }
  if (/[?#]/.test(text)) refuseBaseUrl('must not contain a query or fragment');
  if (!PATH.test(url.path)) {
    refuseBaseUrl(
      'must have a path of plain ASCII, percent-encoded where needed, without . and .. in it',
    );
  }
  return dropTrailing(`${url.origin}${url.path}`, '/');
}

const DEFAULT_RETRY: RetrySettings = {
  maxRetries: 5,
  baseDelay: 250,
  maxDelay: 4_000,
  maxRetryAfter: 30_000,
};

/**
 * Checks the `retry` option and fills in the rest.
 *
 * @throws ConfigurationError
 */
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

/** The options of a client, checked once, and grouped by the folder that uses them. */
export type Settings = {
  readonly request: RequestSettings;
  readonly credentials: Credentials;
  readonly attempts: AttemptSettings;
  readonly response: ResponseSettings;
  readonly journal: Journal | undefined;
};

const DEFAULT_TOTAL_TIMEOUT_MS = 60_000;

function requireAdditions(additions: Additions = {}): Additions {
  const { addressFormats, ...given } = ownOptions<
    Record<string, readonly string[] | undefined> & Pick<Additions, 'addressFormats'>
  >(additions, [...Object.keys(LISTS), 'addressFormats'], 'additions.');
  const copies = Object.entries(given).map(([name, values]) => {
    const isList = Array.isArray(values) && values.every((value) => typeof value === 'string');
    if (values !== undefined && !isList) {
      const option = `additions.${name}`;
      throw new ConfigurationError(option, `${option} must be an array of strings.`);
    }
    return [name, values && [...values]];
  });
  if (given['redirectSchemes']?.every(isAppScheme) === false) {
    throw new ConfigurationError(
      'additions.redirectSchemes',
      'additions.redirectSchemes must be schemes of an app such as myapp, and never javascript, http or the like.',
    );
  }
  const formats = addressFormats === undefined ? {} : requireAddressFormats(addressFormats);
  return { ...Object.fromEntries(copies), ...formats };
}

function requireAddressFormats(given: unknown): Pick<Additions, 'addressFormats'> {
  const option = 'additions.addressFormats';
  if (!isObject(given)) {
    throw new ConfigurationError(option, `${option} must be an object with a format per network.`);
  }
  const copies = Object.entries(given).map(([network, value]) => {
    const isName = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(network);
    const path = isName ? `${option}.${network}` : option;
    if (!isName) throw new ConfigurationError(path, `${path} must have names of networks as keys.`);
    if (!isObject(value)) {
      throw new ConfigurationError(path, `${path} must be an object with isAddress and hasMemos.`);
    }
    const format = ownOptions<AddressFormat>(value, ADDRESS_FORMAT_NAMES, `${path}.`);
    const [name, rule] = addressFormatProblem(format) ?? [];
    if (name !== undefined) {
      throw new ConfigurationError(`${path}.${name}`, `${path}.${name} ${rule}.`);
    }
    return [network, format];
  });
  return { addressFormats: Object.fromEntries(copies) };
}

function requireValidation(value: unknown): boolean {
  if (value === undefined || value === 'tolerant') return false;
  if (value === 'strict') return true;
  throw new ConfigurationError(
    'responseValidation',
    "responseValidation must be 'strict' or 'tolerant'.",
  );
}

const WHERE_SECRETS_ARE_READ = {
  browser: 'reach a browser, where every visitor can read it',
  'react-native': 'be in an app, where everyone who has the app can read it',
} as const;

/** Refuses a secret key where anyone but its owner could read it. */
function refuseSecretKey(secretKey: string | undefined, host: Host): void {
  if (secretKey === undefined || host === 'server') return;
  throw new ConfigurationError(
    'secretKey',
    `secretKey must not ${WHERE_SECRETS_ARE_READ[host]}: use it on your server.`,
  );
}

function requireEndpointCredentials(given: unknown = {}): CredentialsById {
  const prefix = 'endpointCredentials.';
  const byId = ownOptions<Record<string, unknown>>(given, ENDPOINT_IDS, prefix);
  const named = Object.entries(byId).filter(([, names]) => names !== undefined);
  return Object.fromEntries(
    named.map(([id, names]) => [id, requireCredentials(names, prefix + id)]),
  );
}

/** The options that only the proxy decides. */
const DECIDED_BY_PROXY = [
  'clientKey',
  'clientId',
  'secretKey',
  'accessToken',
  'endpointCredentials',
  'region',
] as const;

/** The error of an option that only the proxy decides. */
export function notThroughProxy(option: string): ConfigurationError {
  return new ConfigurationError(
    option,
    `the proxy decides ${option}: leave it out when throughProxy is true.`,
  );
}

function isProxied(options: ClientOptions): boolean {
  const { throughProxy = false } = options;
  if (typeof throughProxy !== 'boolean') {
    throw new ConfigurationError('throughProxy', 'throughProxy must be true or false.');
  }
  const given = DECIDED_BY_PROXY.find((name) => throughProxy && options[name] !== undefined);
  if (given === undefined) return throughProxy;
  throw notThroughProxy(given);
}

function readCredentials(options: ClientOptions, clock: Clock): Credentials {
  if (options.throughProxy === true) return new Credentials({}, 'none');
  const key = (name: 'clientKey' | 'clientId' | 'secretKey') =>
    options[name] === undefined ? {} : { [name]: requireCredential(options[name], name) };
  const keys = { ...key('clientKey'), ...key('clientId'), ...key('secretKey') };
  const byId = requireEndpointCredentials(options.endpointCredentials);
  const credentials = new Credentials(keys, byId);
  const { accessToken } = options;
  if (accessToken === undefined) return credentials;
  return credentials.withTokens(credentials.sourceOf(accessToken, clock));
}

// A record, so that the compiler asks for each option.
const OPTIONS: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  clientKey: true,
  clientId: true,
  secretKey: true,
  accessToken: true,
  region: true,
  throughProxy: true,
  timeout: true,
  totalTimeout: true,
  retry: true,
  fetch: true,
  agent: true,
  maxSockets: true,
  middleware: true,
  logger: true,
  responseValidation: true,
  onDrift: true,
  additions: true,
  endpointCredentials: true,
  journal: true,
  clock: true,
  random: true,
};

function attemptSettings(options: ClientOptions, clock: Clock): AttemptSettings {
  const { timeout, totalTimeout = DEFAULT_TOTAL_TIMEOUT_MS, middleware = [] } = options;
  const { agent, maxSockets } = options;
  const fetch = requireFunction(options.fetch, 'fetch');
  return {
    adapter: chooseAdapter({ fetch, agent, maxSockets }),
    timeout: timeout === undefined ? undefined : requireDuration(timeout, 'timeout'),
    totalTimeout: requireDuration(totalTimeout, 'totalTimeout'),
    retry: requireRetry(options.retry),
    budget: new RetryBudget(),
    middleware: requireMiddleware(middleware),
    logger: requireObjectWith(options.logger, 'logger', ['debug', 'warn']),
    clock,
    random: requireFunction(options.random, 'random') ?? Math.random,
  };
}

/**
 * Checks the options of a client and fills in the rest.
 *
 * @throws ConfigurationError that says which option is wrong
 */
export function resolveSettings(given: ClientOptions): Settings {
  const options = ownOptions<ClientOptions>(given, Object.keys(OPTIONS));
  const clock = requireClock(options.clock) ?? systemClock;
  refuseSecretKey(options.secretKey, hostOf());
  const onDrift = requireFunction(options.onDrift, 'onDrift');
  return {
    request: {
      baseUrl: requireBaseUrl(options.baseUrl),
      isProxied: isProxied(options),
      region: requireRegion(options.region ?? 'global'),
      additions: requireAdditions(options.additions),
    },
    credentials: readCredentials(options, clock),
    attempts: attemptSettings(options, clock),
    response: {
      isStrict: requireValidation(options.responseValidation),
      drift: onDrift && new DriftReporter(onDrift),
    },
    journal: requireJournal(options.journal),
  };
}

/**
 * The settings of a client for one user.
 *
 * @throws ConfigurationError when there is no usable token, or a proxy decides it
 */
export function settingsOfUser(settings: Settings, accessToken: AccessToken): Settings {
  if (settings.request.isProxied) throw notThroughProxy('accessToken');
  if (isMissing(accessToken)) {
    throw new ConfigurationError(
      'accessToken',
      'accessToken is missing: a login that ends in onboarding (phase is set) returns none. Check login.phase first.',
    );
  }
  const { credentials, attempts } = settings;
  const tokens = credentials.sourceOf(accessToken, attempts.clock);
  return { ...settings, credentials: credentials.withTokens(tokens) };
}
