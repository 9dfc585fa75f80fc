import { requireCredential } from '../adapters/header-safety.js';
import type { Clock } from '../attempts/clock.js';

/** Why a token is asked for. */
export type TokenRequest = {
  /** `request`: for a call that is about to be made. `rejected`: the service refused the last one. */
  reason: 'request' | 'rejected';
};

/**
 * Returns the access token for a call. It is asked before every call, in that call's own context, so
 * one provider can serve many users (for example from AsyncLocalStorage). Keep the token where you
 * got it and return it from there; log in again only when there is none or `reason` is `rejected`.
 */
export type AccessTokenProvider = (request: TokenRequest) => string | Promise<string>;

/** A bearer token, or what returns one. */
export type AccessToken = string | AccessTokenProvider;

/** How long a renewal that failed is not tried again, in milliseconds. */
export const RENEWAL_COOL_DOWN_MS = 60_000;

const MOST_RENEWALS = 1_000;

/** What became of the renewal of one refused token. */
type Renewal = { token: Promise<string>; failedAt?: number };

/** Where calls get their access token. Never prints it. */
export class TokenSource {
  readonly #provider: AccessTokenProvider | undefined;
  readonly #fixed: string | undefined;
  readonly #clock: Clock;
  /**
   * By the token that was refused: one provider may serve many users, and only calls whose refused
   * token is the same belong to the same one. The oldest are dropped.
   */
  readonly #renewals = new Map<string, Renewal>();

  constructor(token: AccessToken, clock: Clock) {
    this.#provider = typeof token === 'function' ? token : undefined;
    this.#fixed = typeof token === 'function' ? undefined : requireCredential(token, 'accessToken');
    this.#clock = clock;
  }

  /** The token, where it is one that never changes. */
  get fixed(): string | undefined {
    return this.#fixed;
  }

  /** The token for a call that is about to be made. Never shared between calls. */
  get(operation: string): Promise<string> {
    return this.#ask('request', operation);
  }

  /**
   * A token in place of one that the service refused; `undefined` where there is none to be had: a
   * fixed token, or a renewal that failed less than a minute ago. However many calls were refused
   * with the same token, the provider is asked once.
   *
   * @param onCut - takes what forgets a renewal that somebody stopped waiting for, so that a provider
   *   that hangs once is asked again by the next call
   */
  async renew(
    rejected: string,
    operation: string,
    onCut: (forget: () => void) => void,
  ): Promise<string | undefined> {
    if (this.#provider === undefined) return undefined;
    const known = this.#renewals.get(rejected);
    if (known?.failedAt !== undefined) {
      if (this.#clock.elapsed() < known.failedAt + RENEWAL_COOL_DOWN_MS) return undefined;
      this.#renewals.delete(rejected);
    }
    const renewal = this.#renewals.get(rejected) ?? this.#startRenewal(rejected, operation);
    onCut(() => {
      if (this.#renewals.get(rejected) === renewal) this.#renewals.delete(rejected);
    });
    return renewal.token;
  }

  #startRenewal(rejected: string, operation: string): Renewal {
    const renewal: Renewal = { token: this.#ask('rejected', operation) };
    renewal.token.catch(() => {
      renewal.failedAt = this.#clock.elapsed();
    });
    this.#renewals.set(rejected, renewal);
    const [oldest] = this.#renewals.keys();
    if (this.#renewals.size > MOST_RENEWALS && oldest !== undefined) this.#renewals.delete(oldest);
    return renewal;
  }

  async #ask(reason: TokenRequest['reason'], operation: string): Promise<string> {
    const token = await this.#provider?.({ reason });
    return requireCredential(token, 'accessToken', operation);
  }
}
