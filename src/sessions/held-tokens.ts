import type { ActiveRecord } from './record.js';
import type { SessionToRenew, SignedOutTokens } from './types.js';

/** Tokens behind getters of the class, so that no printout, copy or JSON contains them. */
export class HeldTokens implements SessionToRenew, SignedOutTokens {
  readonly #record: ActiveRecord;
  readonly userId: string | undefined;
  readonly region: ActiveRecord['region'];
  readonly expiresAt: number;
  readonly kind: string | undefined;
  readonly signal: AbortSignal;
  readonly #take: () => Promise<string | undefined>;

  constructor(
    record: ActiveRecord,
    take: () => Promise<string | undefined> = async () => undefined,
    signal: AbortSignal = new AbortController().signal,
  ) {
    this.#record = record;
    this.#take = take;
    this.kind = record.kind;
    this.userId = record.userId;
    this.region = record.region;
    this.expiresAt = record.expiresAt;
    this.signal = signal;
  }

  get accessToken(): string {
    return this.#record.accessToken;
  }

  get refreshToken(): string | undefined {
    return this.#record.refreshToken;
  }

  get takeRefreshToken(): () => Promise<string | undefined> {
    return this.#take;
  }

  /** What `console.log` prints, whichever of its options are set. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return { ...this };
  }
}
