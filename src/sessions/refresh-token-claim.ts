import { type ActiveRecord, randomText, type SessionRecord } from './record.js';
import type { RecordStore } from './record-store.js';
import { SessionError } from './session-error.js';

type ClaimSettings = {
  records: RecordStore;
  now: () => number;
  /** How long another renewal that has taken the token may wait for its response. */
  pendingFor: number;
};

/**
 * The refresh token of one renewal. Taking it is written to the store before anybody receives it: if
 * the app dies after that, nobody knows whether the service has used it up, so it is not sent again.
 */
export class RefreshTokenClaim {
  readonly #settings: ClaimSettings;
  #record: ActiveRecord;
  /** The record before the token is taken: the store may run a change again, or not have made it. */
  readonly #seen: string;
  /** Whether somebody has received the token. */
  #isTaken = false;
  /** The error of `take`, to distinguish it from errors of the caller. */
  failure: SessionError | undefined;

  constructor(settings: ClaimSettings, record: ActiveRecord) {
    this.#settings = settings;
    this.#record = record;
    this.#seen = record.rev;
  }

  /** The record as it is in the store. */
  get record(): ActiveRecord {
    return this.#record;
  }

  /** Whether this renewal has taken the token. */
  get isTaken(): boolean {
    return this.#isTaken;
  }

  /**
   * Whether a record still waits for the end of this renewal. Another one may have begun since, but only
   * this one has sent the token.
   */
  isOpenIn(current: SessionRecord | undefined): current is ActiveRecord {
    const { rev, id, takenAt } = this.#record;
    if (current === undefined || current.ended !== undefined) return false;
    const isOwn = current.rev === rev || current.rev === this.#seen;
    return isOwn || (this.#isTaken && current.id === id && current.takenAt === takenAt);
  }

  /**
   * Whether a record is open in this way, and still has the access token with which this renewal began: a
   * failure must not undo another renewal.
   */
  isUnrenewedIn(current: SessionRecord | undefined): boolean {
    return this.isOpenIn(current) && current.accessToken === this.#record.accessToken;
  }

  /** Whether the mark in the record is that of this renewal. */
  get #isMarked(): boolean {
    return this.#record.rev !== this.#seen;
  }

  /** Whether this renewal has marked the token, and nobody has received it. */
  get isUnused(): boolean {
    return this.#isMarked && !this.#isTaken;
  }

  /** Returns the token, and makes sure that nobody else receives it. */
  async take(): Promise<string | undefined> {
    const { refreshToken, refreshExpiresAt = Number.POSITIVE_INFINITY } = this.#record;
    if (refreshToken === undefined || this.#settings.now() >= refreshExpiresAt) return undefined;
    try {
      await this.#settings.records.change((current) => this.#mark(current));
    } catch (error) {
      this.failure ??= error instanceof SessionError ? error : undefined;
      throw error;
    }
    if (this.#isTaken) this.failure ??= new SessionError('session_not_renewed');
    if (this.failure !== undefined) throw this.failure;
    this.#isTaken = true;
    return refreshToken;
  }

  #mark(current: SessionRecord | undefined): ActiveRecord | undefined {
    const now = this.#settings.now();
    this.failure = undefined;
    // Already written by a change that the store has run before, or has not confirmed.
    if (this.#isMarked && current?.rev === this.#record.rev && !this.#isTaken) return undefined;
    if (current === undefined || current.ended !== undefined || current.rev !== this.#seen) {
      this.failure = new SessionError('session_not_renewed');
      return undefined;
    }
    const { takenAt } = current;
    if (takenAt === undefined) {
      this.#record = { ...current, takenAt: now, rev: randomText() };
      return this.#record;
    }
    const isPending = Math.abs(now - takenAt) < this.#settings.pendingFor;
    this.failure = isPending
      ? new SessionError('session_not_renewed')
      : new SessionError('session_ended', { reason: 'renewal_unknown' });
    return undefined;
  }

  /**
   * Ends the renewal: another one may start, and may take the token unless it is used up. A token that
   * nobody has received is not. If the store fails, every later use of the session tries again.
   */
  async release(isUsedUp: boolean): Promise<void> {
    const { takenAt, renewingUntil: _, ...released } = this.#record;
    // The mark of somebody else is not ours to remove.
    const keepsMark = !this.#isMarked || (this.#isTaken && isUsedUp);
    const kept = keepsMark ? { ...released, takenAt } : released;
    await this.#settings.records.replace({ ...kept, rev: randomText() }, (current) =>
      this.isUnrenewedIn(current),
    );
  }
}
