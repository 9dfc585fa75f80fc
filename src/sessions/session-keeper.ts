import {
  type AccessTokenProvider,
  PRESENT_TOKEN,
  type TokenRequest,
} from '../transport/credentials/credentials.js';
import { HeldTokens } from './held-tokens.js';
import type { SessionSettings } from './options.js';
import { readTokens, sameUser } from './read-tokens.js';
import { type ActiveRecord, endedRecord, randomText, type SessionRecord } from './record.js';
import { RecordStore, within } from './record-store.js';
import { RefreshTokenClaim } from './refresh-token-claim.js';
import { Renewals } from './renewal.js';
import { isSessionError, SessionError } from './session-error.js';
import type { SessionEndReason, SessionTokens } from './types.js';

/** How long after a failed early renewal the next may start: the token still works meanwhile. */
const EARLY_RENEWAL_PAUSE_MS = 30_000;
/** How long a call waits for a renewal while the present token still works. */
const EARLY_RENEWAL_WAIT_MS = 2_000;
/** How often to look whether another program has renewed the session. */
const RESERVED_PAUSE_MS = 250;

/**
 * How long calls of a client that follows the session are refused after another tab has changed the
 * user: whoever began them still saw the earlier user.
 */
const UNNOTICED_MS = 1_000;
/** For how many tokens a client that follows the session remembers their session. */
const MOST_TOKENS = 100;

const isActive = (record: { ended?: unknown } | undefined): record is ActiveRecord =>
  record !== undefined && record.ended === undefined;

/** Provides the token of a session, renews it, and ends the session when that is impossible. */
export class SessionKeeper {
  readonly records: RecordStore;
  readonly #settings: SessionSettings;
  readonly #renewals: Renewals;
  /** The last token that the service has refused. */
  #refused: string | undefined;
  #earlyRenewalFrom = Number.NEGATIVE_INFINITY;
  /** When this program learned from the store that another one has changed the user. */
  #otherUserSince = Number.NEGATIVE_INFINITY;
  /** The mark of the renewal that was seen last, and since when, by the monotonic clock. */
  #mark: { readonly until: number; readonly since: number } | undefined;

  constructor(settings: SessionSettings, onChange: () => void) {
    this.#settings = settings;
    this.records = new RecordStore(settings, onChange);
    this.#renewals = new Renewals(settings);
  }

  /** Returns the record of the session that is signed in, as it is known here. */
  get active(): ActiveRecord | undefined {
    const { known } = this.records;
    return isActive(known) ? known : undefined;
  }

  /** Whether a token is too old, and nothing can renew it. */
  isOver(record: ActiveRecord): boolean {
    return this.#settings.renew === undefined && this.#isExpired(record);
  }

  /** Returns the provider of one session: it never provides the token of another. */
  providerOf(id: string): AccessTokenProvider {
    const provide = (request: TokenRequest) => this.#provide(id, request);
    return Object.assign(provide, {
      [PRESENT_TOKEN]: () => this.#presentOf(id),
      onRenewedTokenRejected: async (token: string) => {
        const record = this.#activeWith(id);
        if (record?.accessToken === token) await this.#end(record, 'rejected');
      },
    });
  }

  /**
   * Returns the provider of whoever is signed in. A call stays with the session that it began with:
   * the token that replaces a refused one never belongs to another session.
   */
  followingProvider(): AccessTokenProvider {
    const sessionOf = new Map<string, string>();
    const idOf = (token: string) => sessionOf.get(token) ?? '';
    const remembered = (token: string, id: string) => {
      sessionOf.set(token, id);
      const [oldest] = sessionOf.keys();
      if (sessionOf.size > MOST_TOKENS && oldest !== undefined) sessionOf.delete(oldest);
      return token;
    };
    const provide = async (request: TokenRequest) => {
      const { rejectedToken } = request;
      const id = rejectedToken === undefined ? await this.#followed() : idOf(rejectedToken);
      const token = await (rejectedToken === undefined
        ? this.#provideKnown(id, request)
        : this.#provide(id, request));
      return remembered(token, id);
    };
    return Object.assign(provide, {
      [PRESENT_TOKEN]: async (token: string) => {
        const id = idOf(token);
        const present = await this.#presentOf(id);
        return present === undefined ? undefined : remembered(present, id);
      },
      onRenewedTokenRejected: async (token: string) => {
        const { active } = this;
        if (active?.accessToken === token) await this.#end(active, 'rejected');
      },
    });
  }

  /** Starts the session of a login that was made in this program. */
  async start(record: ActiveRecord): Promise<void> {
    await this.records.change(() => record);
    this.#otherUserSince = Number.NEGATIVE_INFINITY;
  }

  /** Reads the store, and notices when another program has changed the user. */
  async read(): Promise<void> {
    const { active: seen } = this;
    const { isRead } = this.records;
    await this.records.read();
    const { active } = this;
    if (!isRead || active === undefined || seen?.id === active.id) return;
    const { userId, region } = active;
    const isSame = userId !== undefined && seen?.userId === userId && seen.region === region;
    if (!isSame) this.#otherUserSince = this.#settings.clock.elapsed();
  }

  /**
   * Reads the store, and returns the id of the session that is signed in.
   *
   * @throws SessionError with code `session_ended` when another program has just changed the user
   */
  async #followed(): Promise<string> {
    await this.read();
    const { id } = this.#require(this.records.known?.id ?? '');
    const isUnnoticed = this.#settings.clock.elapsed() - this.#otherUserSince < UNNOTICED_MS;
    if (isUnnoticed) throw new SessionError('session_ended', { reason: 'replaced' });
    return id;
  }

  /** Returns the token of a session, if it can be used as it is. */
  async #presentOf(id: string): Promise<string | undefined> {
    await this.read();
    const record = this.#require(id);
    return this.#isUsable(record) ? record.accessToken : undefined;
  }

  async #provide(id: string, request: TokenRequest): Promise<string> {
    await this.read();
    return this.#provideKnown(id, request);
  }

  async #provideKnown(
    id: string,
    { reason, region, rejectedToken }: TokenRequest,
  ): Promise<string> {
    const record = this.#require(id);
    if (region !== undefined && region !== record.region) {
      throw new SessionError('session_mismatch');
    }
    const { accessToken } = record;
    if (reason === 'rejected' && (rejectedToken ?? accessToken) === accessToken) {
      this.#refused = accessToken;
    }
    const isUsable = () => this.#isUsable(record);
    const isEarly = isUsable();
    if (isEarly && !this.#isDueForRenewal(record)) return accessToken;
    const { renew, clock } = this.#settings;
    if (renew === undefined) return (await this.#endUnrenewed(record)).accessToken;
    const renewed = this.#renewals.run(`${id} ${accessToken}`, (signal) =>
      this.#renew(record, signal, isEarly),
    );
    if (!isEarly) return (await renewed).accessToken;
    const tooLong = () => new SessionError('session_not_renewed');
    try {
      return (await within(clock, EARLY_RENEWAL_WAIT_MS, renewed, tooLong)).accessToken;
    } catch (error) {
      if (!isSessionError(error, 'session_not_renewed')) throw error;
      this.#earlyRenewalFrom = clock.elapsed() + EARLY_RENEWAL_PAUSE_MS;
      // Meanwhile it may have expired, or the service may have refused it.
      return isUsable() ? accessToken : (await renewed).accessToken;
    }
  }

  /**
   * Marks in the store that this program renews the session, so that no other one does. If another
   * program is already renewing it, waits for that renewal.
   *
   * @returns `undefined` if the other one has renewed it
   * @throws SessionError with code `session_not_renewed` when the other one takes too long, or at once
   *   if the present token can be used
   */
  async #reserve(
    asked: ActiveRecord,
    signal: AbortSignal,
    isUsable: boolean,
  ): Promise<ActiveRecord | undefined> {
    const { clock, renewTimeout } = this.#settings;
    while (!signal.aborted) {
      const now = clock.now();
      let reserved: ActiveRecord | undefined;
      await this.records.change((current) => {
        reserved = undefined;
        if (!isActive(current) || current.accessToken !== asked.accessToken) return undefined;
        const { renewingUntil } = current;
        if (renewingUntil !== undefined && this.#isRunning(renewingUntil, now)) return undefined;
        const until = now + renewTimeout;
        this.#mark = { until, since: clock.elapsed() };
        reserved = { ...current, renewingUntil: until, rev: randomText() };
        return reserved;
      });
      if (reserved !== undefined) return reserved;
      if (this.#require(asked.id).accessToken !== asked.accessToken) return undefined;
      if (isUsable) break;
      await new Promise<void>((resolve) => {
        clock.schedule(resolve, RESERVED_PAUSE_MS);
      });
    }
    throw new SessionError('session_not_renewed');
  }

  /**
   * Whether the renewal with this mark may still be running. The clock of the program that wrote
   * the mark may differ from this clock by up to the time limit of a renewal. Once this program has
   * seen the mark for that long, the renewal is over, whatever the clocks say.
   */
  #isRunning(until: number, now: number): boolean {
    const { clock, renewTimeout } = this.#settings;
    if (this.#mark?.until !== until) this.#mark = { until, since: clock.elapsed() };
    const left = until - now;
    const isPossible = left > -renewTimeout && left <= 2 * renewTimeout;
    return isPossible && clock.elapsed() - this.#mark.since < renewTimeout;
  }

  async #renew(asked: ActiveRecord, signal: AbortSignal, isUsable: boolean): Promise<ActiveRecord> {
    const { id } = asked;
    const record = await this.#reserve(asked, signal, isUsable);
    if (record === undefined) return this.#require(id);
    const { clock, renewTimeout } = this.#settings;
    const { records } = this;
    const claim = new RefreshTokenClaim(
      { records, now: () => clock.now(), pendingFor: 2 * renewTimeout },
      record,
    );
    const tokens = await this.#ask(claim, signal);
    const isOpen = (current: SessionRecord | undefined) => claim.isOpenIn(current);
    if (typeof tokens === 'string') {
      return this.#end(claim.record, tokens, (current) => claim.isUnrenewedIn(current));
    }
    if (tokens === undefined) return this.#endUnrenewed(claim.record);
    await records.replace(this.#renewed(claim, tokens), isOpen);
    return this.#require(id);
  }

  /** Asks the application for tokens. Returns the reason if the session has ended. */
  async #ask(
    claim: RefreshTokenClaim,
    signal: AbortSignal,
  ): Promise<SessionTokens | 'rejected' | 'renewal_unknown' | undefined> {
    const { renew, endsSession, keepsRefreshToken } = this.#settings;
    try {
      const held = new HeldTokens(claim.record, () => claim.take(), signal);
      return (await renew?.(held)) ?? undefined;
    } catch (error) {
      if (error !== undefined && error === claim.failure) {
        if (claim.failure.code === 'session_ended') return 'renewal_unknown';
        await claim.release(true).catch(() => undefined);
        throw error;
      }
      if (endsSession(error)) return 'rejected';
      await claim.release(!keepsRefreshToken(error)).catch(() => undefined);
      throw new SessionError('session_not_renewed', { cause: error });
    }
  }

  #renewed(claim: RefreshTokenClaim, given: SessionTokens): ActiveRecord {
    const { clock, renewBefore } = this.#settings;
    const { renewingUntil: _, ...record } = claim.record;
    const now = clock.now();
    const { refreshToken, refreshExpiresAt, kind, ...tokens } = readTokens(given, now, renewBefore);
    const isReplaced = claim.isTaken || refreshToken !== undefined;
    return {
      ...record,
      ...tokens,
      ...(claim.isUnused && { takenAt: undefined }),
      ...(isReplaced && { refreshToken, refreshExpiresAt, takenAt: undefined }),
      kind: kind ?? record.kind,
      userId: sameUser(record.userId, tokens.userId),
      rev: randomText(),
    };
  }

  /**
   * Ends a session, unless it has been renewed or replaced meanwhile.
   *
   * @returns the renewed session
   * @throws SessionError with code `session_ended`
   */
  async #end(
    record: ActiveRecord,
    reason: SessionEndReason,
    isStill = (current: SessionRecord | undefined) => current?.rev === record.rev,
  ): Promise<ActiveRecord> {
    await this.records.replace(endedRecord(record, reason), isStill);
    return this.#require(record.id);
  }

  /** Ends a session whose token cannot be used, where there is nothing to renew it with. */
  #endUnrenewed(record: ActiveRecord): Promise<ActiveRecord> {
    return this.#end(record, this.#isExpired(record) ? 'expired' : 'rejected');
  }

  #activeWith(id: string): ActiveRecord | undefined {
    return this.active?.id === id ? this.active : undefined;
  }

  #require(id: string): ActiveRecord {
    const record = this.#activeWith(id);
    if (record !== undefined) return record;
    const { known } = this.records;
    const reason = known === undefined ? 'signed_out' : known.id === id ? known.ended : 'replaced';
    throw new SessionError('session_ended', { reason: reason ?? 'replaced' });
  }

  #isUsable(record: ActiveRecord): boolean {
    return record.accessToken !== this.#refused && !this.#isExpired(record);
  }

  #isExpired({ expiresAt }: ActiveRecord): boolean {
    return this.#settings.clock.now() >= expiresAt;
  }

  #isDueForRenewal({ renewAt, takenAt }: ActiveRecord): boolean {
    const { renew, clock } = this.#settings;
    const isDue = clock.now() >= renewAt && clock.elapsed() >= this.#earlyRenewalFrom;
    return renew !== undefined && isDue && takenAt === undefined;
  }
}
