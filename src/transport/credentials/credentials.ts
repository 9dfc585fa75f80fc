import type { Credential, Endpoint } from '../../contract/endpoint.js';
import { ConfigurationError, isCardPlatformError } from '../../errors/index.js';
import { requireCredential } from '../adapters/header-safety.js';
import type { CallCredentials } from '../attempts/attempt-plan.js';
import type { Clock } from '../attempts/clock.js';
import type { CallInterrupted } from '../attempts/deadline.js';
import { callHook } from '../response/call-hook.js';

/** Why a token is needed. */
export type TokenRequest = {
  /** `request`: a call is about to be sent. `rejected`: the service refused the last token. */
  reason: 'request' | 'rejected';
  /** The region that the call goes to. The client always sets it. */
  region?: 'global' | 'us' | undefined;
  /** The refused token, if `reason` is `rejected`. If you have a newer token by now, return that. */
  rejectedToken?: string | undefined;
};

/**
 * Returns the access token for a call. It runs before every call that sends the token, in that
 * call's own context, so one provider can serve many users (for example with AsyncLocalStorage). Keep
 * the token in your session store and return it from there; log in again only when there is none or
 * `reason` is `rejected`. Calls that were refused with the same token share one renewal if they have the
 * same function.
 */
export type AccessTokenProvider = {
  (request: TokenRequest): string | Promise<string>;
  /**
   * Called when the service has also refused the token that replaced a refused one, with this
   * second token. The session is over. The call does not wait for this function.
   */
  onRenewedTokenRejected?: ((token: string) => unknown) | undefined;
};

/** A bearer token, or a function that returns one. */
export type AccessToken = string | AccessTokenProvider;

/** How long to wait before a failed renewal is tried again, in milliseconds. */
const RENEWAL_COOL_DOWN_MS = 60_000;

const MOST_RENEWALS = 1_000;

/** The renewal of one refused token: still running without `succeededAs` and `failedAt`. */
type Renewal = {
  readonly token: Promise<string>;
  /** How many calls wait for it. */
  waiting: number;
  /** Its number among the renewals of its source that succeeded. */
  succeededAs?: number;
  failedAt?: number;
};

/** The refused token of a call. */
type RefusedToken = {
  readonly token: string;
  /** {@link TokenSource.renewed} when the call asked for its token. */
  readonly since: number;
  readonly operation: string;
  readonly region: TokenRequest['region'];
};

/**
 * The property of a provider of a session with a function that returns the present token of the session
 * to which a refused token belongs, without a renewal; `undefined` if that one cannot be used either. Such
 * a provider never renews a token twice, so it is asked after every renewal: its session may have been
 * renewed again, or have ended.
 */
// From the global registry, so that the copies of the package recognise each other's.
export const PRESENT_TOKEN: unique symbol = Symbol.for('card-platform-sdk.present-token');

type PresentToken = (refusedToken: string) => Promise<string | undefined>;

/** Registers the function that is called when a call no longer waits for a renewal. */
type OnInterrupt = (leave: (interruption: CallInterrupted) => void) => void;

/**
 * The property of a provider of one token with a function that renews that token at the source it is
 * from, so that the call waits there like any other.
 */
// From the global registry, because a journal and its client may be of two copies of the package.
export const RENEW_AT_SOURCE: unique symbol = Symbol.for('card-platform-sdk.renew-at-source');

export type RenewAtSource = (onInterrupt: OnInterrupt) => Promise<string | undefined>;

/**
 * Rejects for a renewal that had failed before the call asked for it. The outcome of a call that rejects with
 * a value of the application is known by that value, so calls that end at different times must not share it.
 */
function repeatFailure(error: unknown): never {
  if (isCardPlatformError(error)) throw error;
  const message =
    'the access token was refused, and its renewal failed less than a minute ago (see cause).';
  throw new Error(message, { cause: error });
}

/** Whether a call ran out of time. `AbortSignal.timeout()` ends it by an abort. */
const isOutOfTime = ({ kind, reason }: CallInterrupted) =>
  kind === 'timeout' || Object(reason).name === 'TimeoutError';

/** The source of access tokens for calls. Printing it never shows the token. */
export class TokenSource {
  readonly #provider: AccessTokenProvider | undefined;
  readonly #fixed: string | undefined;
  readonly #clock: Clock;
  readonly #presentToken: PresentToken | undefined;
  readonly #renewAtSource: RenewAtSource | undefined;
  /**
   * Keyed by the refused token: one provider may serve many users, and only calls with the same
   * refused token belong to the same user. The oldest entries are dropped.
   */
  readonly #renewals = new Map<string, Renewal>();
  #renewed = 0;

  constructor(token: AccessToken, clock: Clock) {
    this.#provider = typeof token === 'function' ? token : undefined;
    this.#fixed = typeof token === 'function' ? undefined : requireCredential(token, 'accessToken');
    this.#clock = clock;
    const given: { [PRESENT_TOKEN]?: PresentToken; [RENEW_AT_SOURCE]?: RenewAtSource } =
      Object(token);
    this.#presentToken = given[PRESENT_TOKEN];
    this.#renewAtSource = given[RENEW_AT_SOURCE];
  }

  /** The token, if it is a fixed string. */
  get fixed(): string | undefined {
    return this.#fixed;
  }

  /** How many renewals have succeeded. */
  get renewed(): number {
    return this.#renewed;
  }

  /** The token for a call that is about to be made. Never shared between calls. */
  get(operation: string, region: TokenRequest['region']): Promise<string> {
    return this.#ask({ reason: 'request', region }, operation);
  }

  /** The listener of a provider that must know when the service has refused a renewed token. */
  get onRenewedTokenRejected(): AccessTokenProvider['onRenewedTokenRejected'] {
    return this.#provider?.onRenewedTokenRejected;
  }

  /**
   * Returns a token to replace the refused one; `undefined` when the token is fixed. Calls that were
   * refused with the same token share one renewal. If one failed less than a minute ago, rejects with
   * the same error of this package, and with a new error whose cause is any other one.
   *
   * @param onInterrupt - a renewal that outlived a call, or for which no call waits any more, is forgotten:
   *   it may hang, so the next call asks the provider again
   */
  async renew(refused: RefusedToken, onInterrupt: OnInterrupt): Promise<string | undefined> {
    if (this.#provider === undefined) return undefined;
    if (this.#renewAtSource !== undefined) return this.#renewAtSource(onInterrupt);
    const { token, since } = refused;
    const known = this.#renewals.get(token);
    const renewal =
      known !== undefined && this.#isFor(known, since) ? known : this.#startRenewal(refused);
    if (renewal.failedAt !== undefined) {
      const present = await this.#presentToken?.(token);
      if (present !== undefined && present !== token) return present;
      return renewal.token.catch(repeatFailure);
    }
    renewal.waiting++;
    onInterrupt((interruption) => {
      renewal.waiting--;
      if (!isOutOfTime(interruption) && renewal.waiting > 0) return;
      this.#forget(token, renewal);
    });
    return renewal.token;
  }

  /**
   * Whether a known renewal is also that of a call. One that had succeeded before the call asked for
   * its token is not: the provider returned the refused token again.
   */
  #isFor({ succeededAs, failedAt }: Renewal, since: number): boolean {
    if (failedAt !== undefined) return this.#clock.elapsed() < failedAt + RENEWAL_COOL_DOWN_MS;
    if (succeededAs === undefined) return true;
    return succeededAs > since && this.#presentToken === undefined;
  }

  #forget(token: string, renewal: Renewal): void {
    if (this.#renewals.get(token) === renewal) this.#renewals.delete(token);
  }

  #startRenewal({ token: rejectedToken, operation, region }: RefusedToken): Renewal {
    const request = { reason: 'rejected', region, rejectedToken } as const;
    const renewal: Renewal = { token: this.#ask(request, operation), waiting: 0 };
    renewal.token.then(
      () => {
        renewal.succeededAs = ++this.#renewed;
      },
      (error) => {
        renewal.failedAt = this.#clock.elapsed();
        // The abort of one caller's own work says nothing about the token.
        if (Object(error).name === 'AbortError') this.#forget(rejectedToken, renewal);
      },
    );
    // As the newest one, also if it replaces another.
    this.#renewals.delete(rejectedToken);
    this.#renewals.set(rejectedToken, renewal);
    const [oldest] = this.#renewals.keys();
    if (this.#renewals.size > MOST_RENEWALS && oldest !== undefined) this.#renewals.delete(oldest);
    return renewal;
  }

  async #ask(request: TokenRequest, operation: string): Promise<string> {
    const token = await this.#provider?.(request);
    return requireCredential(token, 'accessToken', operation);
  }
}

/** The credentials of a client, checked. */
type Keys = Readonly<
  Partial<Record<Exclude<Credential, 'accessToken'>, string>> & { tokens?: TokenSource | undefined }
>;

/** The credentials that a client sends to an endpoint instead of those of the contract, by its id. */
export type CredentialsById = Readonly<Record<string, readonly Credential[]>>;

const HEADERS: Readonly<Record<Credential, string>> = {
  clientKey: 'x-client-key',
  clientId: 'x-client-id',
  secretKey: 'x-secret-key',
  accessToken: 'authorization',
};

const MISSING: Readonly<Record<Credential, string>> = {
  clientKey: 'needs clientKey: pass it to the client.',
  clientId: 'needs clientId: pass it to the client.',
  secretKey: 'needs secretKey: pass it to a client on your server.',
  accessToken: 'needs accessToken: log in and call client.withAccessToken(login.accessToken).',
};

/** The credentials of a client. Nothing that prints or serialises this object shows them. */
export class Credentials {
  readonly #keys: Keys;
  readonly #byId: CredentialsById | 'none';
  readonly #sources: WeakMap<AccessTokenProvider, TokenSource>;

  /** @param byId - `'none'` where a proxy adds the credentials: then no endpoint gets any */
  constructor(
    keys: Keys,
    byId: CredentialsById | 'none' = {},
    sources = new WeakMap<AccessTokenProvider, TokenSource>(),
  ) {
    this.#keys = keys;
    this.#byId = byId;
    this.#sources = sources;
  }

  /** The same keys with another user's tokens. */
  withTokens(tokens: TokenSource): Credentials {
    return new Credentials({ ...this.#keys, tokens }, this.#byId, this.#sources);
  }

  /**
   * The source of a token. There is one for each provider, so that calls share its renewals, whether
   * the provider is that of a client or of a call.
   */
  sourceOf(token: AccessToken, clock: Clock): TokenSource {
    if (typeof token !== 'function') return new TokenSource(token, clock);
    const source = this.#sources.get(token) ?? new TokenSource(token, clock);
    this.#sources.set(token, source);
    return source;
  }

  /** Where the access token comes from; `undefined` without one. */
  get tokens(): TokenSource | undefined {
    return this.#keys.tokens;
  }

  /** Every key, and the access token if it is a fixed one. */
  secrets(): readonly string[] {
    const { clientKey, clientId, secretKey, tokens } = this.#keys;
    return [clientKey, clientId, secretKey, tokens?.fixed].filter((one) => one !== undefined);
  }

  /** The credentials to send to an endpoint. An endpoint outside the contract declares its own. */
  of({ id, credentials, isOutsideContract }: Endpoint): readonly Credential[] {
    if (this.#byId === 'none') return [];
    return isOutsideContract !== true && Object.hasOwn(this.#byId, id)
      ? (this.#byId[id] ?? credentials)
      : credentials;
  }

  /**
   * Checks that the client has every credential that an endpoint needs.
   *
   * @throws ConfigurationError that says which option is missing; nothing has been sent
   */
  check(endpoint: Endpoint, tokens: TokenSource | undefined): void {
    const missing = this.of(endpoint).find(
      (name) => (name === 'accessToken' ? tokens : this.#keys[name]) === undefined,
    );
    if (missing !== undefined) {
      throw new ConfigurationError(missing, MISSING[missing], endpoint.id);
    }
  }

  /**
   * The credential headers of an endpoint, and no others: a login must not carry a bearer token,
   * nor an order a client key.
   */
  headersFor(endpoint: Endpoint, accessToken: string | undefined): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const name of this.of(endpoint)) {
      const value = name === 'accessToken' ? accessToken : this.#keys[name];
      headers[HEADERS[name]] = name === 'accessToken' ? `Bearer ${value}` : String(value);
    }
    return headers;
  }
}

/** Is called with an access token. */
export type OnToken = (token: string) => void;

/** The property of the options of a call with the function that is called with each of its tokens. */
// From the global registry, because the proxy and its client may be of two copies of the package.
export const ON_TOKEN: unique symbol = Symbol.for('card-platform-sdk.on-token');

/**
 * The credential headers of one call. A token that replaced a refused one stays with the call.
 *
 * @param tokens - of the call, or of the client
 * @param region - where the call goes
 * @param onToken - is called with every token that a provider returned for this call
 */
export function callCredentials(
  credentials: Credentials,
  tokens: TokenSource | undefined,
  endpoint: Endpoint,
  region: TokenRequest['region'],
  onToken?: OnToken | undefined,
): CallCredentials {
  const source = credentials.of(endpoint).includes('accessToken') ? tokens : undefined;
  let token = source?.fixed;
  let since = 0;
  // A response may repeat a token that this call has replaced.
  const used = new Set<string>();

  const withToken = (value: string) => {
    token = value;
    used.add(value);
    onToken?.(value);
    return credentials.headersFor(endpoint, value);
  };

  return {
    headers: () => {
      credentials.check(endpoint, tokens);
      if (source === undefined || token !== undefined) {
        return credentials.headersFor(endpoint, token);
      }
      return () => {
        since = source.renewed;
        return source.get(endpoint.id, region).then(withToken);
      };
    },
    renew: async (onInterrupt) => {
      if (source === undefined || token === undefined) return false;
      const refused = { token, since, operation: endpoint.id, region };
      const renewed = await source.renew(refused, onInterrupt);
      if (renewed === undefined) return false;
      withToken(renewed);
      return true;
    },
    secrets: () => [...credentials.secrets(), ...used],
    renewedIsRejected: () => {
      const rejected = token;
      if (rejected !== undefined) callHook(() => source?.onRenewedTokenRejected?.(rejected));
    },
  };
}
