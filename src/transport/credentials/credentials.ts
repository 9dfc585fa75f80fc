import type { Credential, Endpoint } from '../../contract/endpoint.js';
import { ConfigurationError } from '../../errors/index.js';
import type { CallCredentials } from '../attempts/attempt-plan.js';
import { callHook } from '../response/call-hook.js';
import type { TokenRequest, TokenSource } from './token-source.js';

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

/**
 * The property of a `Send` function that returns the credentials of its client: whoever passes on its
 * responses must redact them. Not enumerable, so nothing prints it.
 */
export const CREDENTIALS: unique symbol = Symbol.for('card-platform-sdk.credentials');

/** Holds the credentials of a client. Nothing that prints or serialises it shows them. */
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

  /** The credentials that an endpoint takes. One outside the contract declares its own. */
  of({ id, credentials, isCustom }: Endpoint): readonly Credential[] {
    if (this.#byId === 'none') return [];
    return isCustom !== true && Object.hasOwn(this.#byId, id)
      ? (this.#byId[id] ?? credentials)
      : credentials;
  }

  /**
   * Checks that an endpoint gets every credential that it takes.
   *
   * @throws ConfigurationError that names the option that is missing; nothing has been sent
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
   * The credential headers that an endpoint takes, and no others: a login must not carry a bearer
   * token, nor an order a client key.
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

  if (token !== undefined) used.add(token);

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
