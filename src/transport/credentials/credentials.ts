import type { Credential, Endpoint } from '../../contract/endpoint.js';
import { ConfigurationError } from '../../errors/index.js';
import { requireCredential } from '../adapters/header-safety.js';
import type { CallCredentials } from '../attempts/attempt-plan.js';
import type { Clock } from '../attempts/clock.js';
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
 * `reason` is `rejected`.
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

/** The renewal of one refused token. */
type Renewal = { token: Promise<string>; failedAt?: number };

/** The source of access tokens for calls. Printing it never shows the token. */
export class TokenSource {
  readonly #provider: AccessTokenProvider | undefined;
  readonly #fixed: string | undefined;
  readonly #clock: Clock;
  /**
   * Keyed by the refused token: one provider may serve many users, and only calls with the same
   * refused token belong to the same user. The oldest entries are dropped.
   */
  readonly #renewals = new Map<string, Renewal>();

  constructor(token: AccessToken, clock: Clock) {
    this.#provider = typeof token === 'function' ? token : undefined;
    this.#fixed = typeof token === 'function' ? undefined : requireCredential(token, 'accessToken');
    this.#clock = clock;
  }

  /** The token, if it is a fixed string. */
  get fixed(): string | undefined {
    return this.#fixed;
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
   * Returns a token to replace the refused one; `undefined` when there is none: the token is fixed,
   * or a renewal failed less than a minute ago. Calls that were refused with the same token share
   * one renewal.
   *
   * @param onInterrupt - registers a function that forgets a renewal which a call no longer waits
   *   for, so that the next call asks the provider again, even if it hung
   */
  async renew(
    rejected: string,
    operation: string,
    onInterrupt: (forget: () => void) => void,
    region: TokenRequest['region'],
  ): Promise<string | undefined> {
    if (this.#provider === undefined) return undefined;
    const known = this.#renewals.get(rejected);
    if (known?.failedAt !== undefined) {
      if (this.#clock.elapsed() < known.failedAt + RENEWAL_COOL_DOWN_MS) return undefined;
      this.#renewals.delete(rejected);
    }
    const renewal = this.#renewals.get(rejected) ?? this.#startRenewal(rejected, operation, region);
    onInterrupt(() => {
      if (this.#renewals.get(rejected) === renewal) this.#renewals.delete(rejected);
    });
    return renewal.token;
  }

  #startRenewal(rejectedToken: string, operation: string, region: TokenRequest['region']): Renewal {
    const request = { reason: 'rejected', region, rejectedToken } as const;
    const renewal: Renewal = { token: this.#ask(request, operation) };
    renewal.token.catch(() => {
      renewal.failedAt = this.#clock.elapsed();
    });
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

  /** @param byId - `'none'` where a proxy adds the credentials: then no endpoint gets any */
  constructor(keys: Keys, byId: CredentialsById | 'none' = {}) {
    this.#keys = keys;
    this.#byId = byId;
  }

  /** The same keys with another user's tokens. */
  withTokens(tokens: TokenSource): Credentials {
    return new Credentials({ ...this.#keys, tokens }, this.#byId);
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

/**
 * The credential headers of one call. A token that replaced a refused one stays with the call.
 *
 * @param tokens - of the call, or of the client
 * @param region - where the call goes
 */
export function callCredentials(
  credentials: Credentials,
  tokens: TokenSource | undefined,
  endpoint: Endpoint,
  region: TokenRequest['region'],
): CallCredentials {
  const source = credentials.of(endpoint).includes('accessToken') ? tokens : undefined;
  let token = source?.fixed;
  // A response may repeat a token that this call has replaced.
  const used = new Set<string>();

  const withToken = (value: string) => {
    token = value;
    used.add(value);
    return credentials.headersFor(endpoint, value);
  };

  return {
    headers: () => {
      credentials.check(endpoint, tokens);
      return source === undefined || token !== undefined
        ? credentials.headersFor(endpoint, token)
        : source.get(endpoint.id, region).then(withToken);
    },
    renew: async (onInterrupt) => {
      if (source === undefined || token === undefined) return false;
      const renewed = await source.renew(token, endpoint.id, onInterrupt, region);
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
