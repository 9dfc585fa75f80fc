import type { Clock } from './clock.js';
import { requireCredential } from './header-safety.js';

/** Why a token is asked for. */
export type TokenRequest = {
  /** `request`: for a call that is about to be made. `rejected`: the service refused the last one. */
  reason: 'request' | 'rejected';
};

/**
 * Gives the access token for a call. It is asked before every call (calls at the same moment share
 * one question), so keep the token where you got it and give it from there; log in again only when
 * there is none or `reason` is `rejected`.
 */
export type AccessTokenProvider = (request: TokenRequest) => string | Promise<string>;

/** A bearer token, or what gives one. */
export type AccessToken = string | AccessTokenProvider;

/** How long a renewal that failed is not tried again, in milliseconds. */
export const RENEWAL_COOL_DOWN_MS = 60_000;

/** Where calls of one user get their access token. Never prints it. */
export class TokenSource {
  readonly #provider: AccessTokenProvider | undefined;
  readonly #fixed: string | undefined;
  readonly #clock: Clock;
  #asking: Promise<string> | undefined;
  #renewing: Promise<string> | undefined;
  /** Replaced tokens: calls that still carry one of these share the renewal that replaced it. */
  #replaced: { rejected: string; by: string } | undefined;
  #cooledDownAt = Number.NEGATIVE_INFINITY;

  constructor(token: AccessToken, clock: Clock) {
    this.#provider = typeof token === 'function' ? token : undefined;
    this.#fixed = typeof token === 'function' ? undefined : requireCredential(token, 'accessToken');
    this.#clock = clock;
  }

  /** The token, where it is one that never changes. */
  get fixed(): string | undefined {
    return this.#fixed;
  }

  /** The token for a call that is about to be made. */
  get(operation: string): Promise<string> {
    this.#asking ??= this.#ask('request', operation).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /**
   * A token in place of one that the service refused; `undefined` where there is none to be had:
   * a fixed token, or a renewal that failed less than a minute ago. However many calls were refused
   * with the same token, the provider is asked once.
   */
  async renew(rejected: string, operation: string): Promise<string | undefined> {
    if (this.#provider === undefined) return undefined;
    if (this.#replaced?.rejected === rejected) return this.#replaced.by;
    if (this.#renewing === undefined) {
      if (this.#clock.elapsed() < this.#cooledDownAt) return undefined;
      this.#renewing = this.#renewOnce(rejected, operation).finally(() => {
        this.#renewing = undefined;
      });
    }
    return this.#renewing;
  }

  async #renewOnce(rejected: string, operation: string): Promise<string> {
    try {
      const token = await this.#ask('rejected', operation);
      this.#replaced = { rejected, by: token };
      return token;
    } catch (error) {
      this.#cooledDownAt = this.#clock.elapsed() + RENEWAL_COOL_DOWN_MS;
      throw error;
    }
  }

  async #ask(reason: TokenRequest['reason'], operation: string): Promise<string> {
    const token = await this.#provider?.({ reason });
    return requireCredential(token, 'accessToken', operation);
  }
}
