import type { Endpoint } from '../contract/endpoint.js';
import type { EndpointId } from '../contract/endpoints.js';
import { ConfigurationError, type Outcome } from '../errors/index.js';
import { isReactNative } from '../transport/adapters/runtime.js';
import type { AccessToken } from '../transport/credentials/credentials.js';
import type { Region } from '../transport/request/wire-request.js';
import { SHORTEST_SECRET, withoutScheme } from '../transport/response/redact.js';
import { SEND, type Sender } from '../transport/send.js';
import { ownOptions, requireFunction } from '../transport/settings/check-options.js';
import { EXTENSION } from './cross-site.js';
import { requireOperations } from './operations.js';
import type { ProxyRefusalReason } from './refusal.js';

/** The user for whom a request acts. */
export type ProxySession = {
  /** The user's token, or a function that returns it. The page never gets it. */
  readonly accessToken: AccessToken;
  /** The user's region. Default: the client's. The page cannot choose another. */
  readonly region?: Region | undefined;
  /**
   * Id of the user: the same as `journal.user` in the page, such as the `userId` of the login. A call of a
   * page whose journal names another user is then refused, unless it reads, because another tab has changed the
   * session.
   * Default: each call is made for the user of the session.
   */
  readonly userId?: string | null | undefined;
};

/** A call through a proxy that failed, for the log of the server. */
export type ProxyFailure = {
  /**
   * The id of the endpoint: one of the contract or of the option `endpoints`, allowed or not.
   * `undefined` if method and path belong to neither.
   */
  readonly operation: EndpointId | (string & {}) | undefined;
  /** The status of the response that the page gets. */
  readonly status: number;
  /** The outcome that the page gets. */
  readonly outcome: Outcome;
  /** Why the proxy refused the request; `call_failed` for an error of the call, or an invalid input. */
  readonly reason: ProxyRefusalReason | 'call_failed';
  /**
   * The error of the call or of `session`, or the one that made the proxy fail. For `cross_site`,
   * `origin_missing` and `operation_not_allowed` an error that says what was expected, what was
   * received, and which option allows it. `undefined` for any other refusal. An error of this
   * package contains no secret.
   */
  readonly error: unknown;
};

/** Options of {@link createCardProxy}. */
export type CardProxyOptions = {
  /** The client that has your keys: a `CardPlatformClient`, or from `createClient`. */
  client: Sender;
  /**
   * Returns the user's session, from your cookie or header; `undefined` if there is none, and the
   * page then gets a 401. It runs once for each request of an allowed operation that needs a user. If its
   * `accessToken` is a function, return the same one each time: only then do the requests of a user share a
   * renewal. The session of a `createSessions` has the same one for as long as you keep that.
   */
  session: (
    request: Request,
  ) => ProxySession | null | undefined | Promise<ProxySession | null | undefined>;
  /**
   * The operations that the page may call. Default: every endpoint whose declaration has
   * `pageAccess: 'allowed'`, which for the contract are the {@link DEFAULT_OPERATIONS}. A list
   * replaces the default. Endpoints with `pageAccess: 'never'`, such as `auth.login`,
   * `webhooks.create` and `webhooks.rotateKey`, are refused, because their responses contain lasting
   * secrets.
   */
  allow?: readonly (EndpointId | (string & {}))[] | undefined;
  /**
   * Endpoints outside the contract: your own from `defineEndpoint`, or endpoints of `/observed`.
   * Without `allow`, each is served only if its declaration has `pageAccess: 'allowed'`. With
   * `allow`, only if the list contains its id. JSON only. An `input` schema that transforms must
   * accept its own output, because the page and the proxy both check.
   */
  endpoints?: readonly Endpoint[] | undefined;
  /** The path where the proxy is mounted, as the page sees it: `/api/card-platform`. Default `/`. */
  basePath?: string | undefined;
  /**
   * The origins of your pages, for a proxy whose requests do not show the page's host: behind a
   * server that changes the `Host` header. Default: the origin of the request itself.
   *
   * Include the origins of your Chromium extensions, such as `chrome-extension://<id>`, which need
   * `host_permissions` for the host of the proxy. List your pages too.
   */
  origins?: readonly string[] | undefined;
  /**
   * Whether to accept a request that may change something without `Sec-Fetch-Site` and `Origin`. Apps
   * and scripts send neither. By the Fetch standard, browsers send `Origin` with all requests except GET
   * and HEAD, and `Sec-Fetch-Site` to https and to loopback addresses: a page on other plain http needs
   * this option for `delegation.getToken` and `user.startVerification`, which are GETs. Default `false`.
   */
  allowMissingOrigin?: boolean | undefined;
  /** The longest body of a request, in bytes, at most 1,048,576. Default 65,536. */
  maxBodyBytes?: number | undefined;
  /**
   * Milliseconds from the arrival of a request to its response, retries included, at most 600,000.
   * Default 12,000, and 27,000 for a delegation token with faucet. By default, a page's client waits
   * 3 seconds longer, so that it gets the outcome. If you raise this, raise `timeout` and `totalTimeout`
   * of that client too, both above this.
   */
  timeout?: number | undefined;
  /**
   * Further values that no response to a page may contain, of at least four characters: they are
   * replaced by `[redacted]`. The keys of `client` and the access tokens of the session always are.
   */
  secrets?: readonly string[] | undefined;
  /**
   * Called once for each request that reaches the proxy and fails, for your log. It is not called for
   * a malformed request that `toNodeHandler` refuses. Errors that it throws are ignored.
   */
  onFailure?: ((failure: ProxyFailure) => void) | undefined;
};

// A record, so that the compiler asks for each option.
const NAMES: Readonly<Record<keyof CardProxyOptions, true>> = {
  client: true,
  session: true,
  allow: true,
  endpoints: true,
  basePath: true,
  origins: true,
  allowMissingOrigin: true,
  maxBodyBytes: true,
  timeout: true,
  secrets: true,
  onFailure: true,
};

function refuse(option: string, rule: string): never {
  throw new ConfigurationError(option, `${option} ${rule}.`);
}

function requireNumber(option: string, value: unknown, most: number): void {
  const isFine = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
  if (value !== undefined && !isFine) refuse(option, `must be a whole number from 1 to ${most}`);
}

function isOrigin(value: unknown): boolean {
  try {
    if (typeof value !== 'string') return false;
    return EXTENSION.test(value) || (/^https?:/.test(value) && new URL(value).origin === value);
  } catch {
    return false;
  }
}

/** Returns the path without a slash at the end. */
function requireBasePath(path: unknown): string {
  const [start, ...segments] = String(path).replace(/\/$/, '').split('/');
  const isName = (segment: string) => /^[\w.~-]+$/.test(segment) && !/^\.+$/.test(segment);
  if (typeof path !== 'string' || path === '' || start !== '' || !segments.every(isName)) {
    refuse('basePath', 'must be a path such as /api/card-platform');
  }
  return path.replace(/\/$/, '');
}

function requireSecrets(value: unknown): readonly string[] {
  const isLong = (one: unknown) =>
    typeof one === 'string' && withoutScheme(one).length >= SHORTEST_SECRET;
  if (!Array.isArray(value) || !value.every(isLong)) {
    refuse('secrets', `must be an array of strings of at least ${SHORTEST_SECRET} characters`);
  }
  return [...value];
}

/**
 * Checks the options of a proxy and fills in the rest.
 *
 * @throws ConfigurationError that says which option is wrong
 */
export function requireProxyOptions(given: CardProxyOptions) {
  const options = ownOptions<CardProxyOptions>(given, Object.keys(NAMES));
  const { client, origins, allowMissingOrigin = false } = options;
  const { maxBodyBytes = 65_536, timeout, secrets = [], basePath = '/' } = options;
  if (isReactNative())
    refuse('client', 'has your keys: this proxy belongs on a server, not in an app');
  if (typeof Object(client)[SEND] !== 'function')
    refuse('client', 'must be a CardPlatformClient, or a client of createClient');
  if (typeof allowMissingOrigin !== 'boolean') refuse('allowMissingOrigin', 'must be a boolean');
  requireNumber('maxBodyBytes', maxBodyBytes, 1_048_576);
  requireNumber('timeout', timeout, 600_000);
  if (origins !== undefined && !(Array.isArray(origins) && origins.every(isOrigin))) {
    refuse(
      'origins',
      'must be an array of origins such as https://app.example or chrome-extension://<id>',
    );
  }
  return {
    client,
    session: requireFunction(options.session, 'session') ?? refuse('session', 'must be a function'),
    onFailure: requireFunction(options.onFailure, 'onFailure'),
    timeout,
    maxBodyBytes,
    basePath: requireBasePath(basePath),
    ...requireOperations(options.allow, options.endpoints),
    sites: { origins: origins && [...origins], allowMissingOrigin },
    secrets: requireSecrets(secrets),
  };
}

/** The checked options of a proxy. */
export type ProxySettings = Readonly<ReturnType<typeof requireProxyOptions>>;
