import { isApiError } from '../errors/index.js';
import type { Clock } from '../transport/attempts/clock.js';
import { withLock } from './lock.js';
import type { ActiveRecord } from './record.js';
import { SessionError } from './session-error.js';
import type { SessionLocks, SessionToRenew, SignedOutTokens } from './types.js';

/** Tokens behind getters of the class, so that no printout, copy or JSON contains them. */
export class HeldTokens implements SessionToRenew, SignedOutTokens {
  readonly #record: ActiveRecord;
  readonly userId: string | undefined;
  readonly region: ActiveRecord['region'];
  readonly expiresAt: number;
  readonly signal: AbortSignal;

  constructor(record: ActiveRecord, signal: AbortSignal = new AbortController().signal) {
    this.#record = record;
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

  /** What `console.log` prints, whichever of its options are set. */
  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return { ...this };
  }
}

const FINAL_STATUSES: readonly number[] = [400, 401, 403];

/**
 * Whether the service refused to renew: a dead refresh token, or a login that needs the user. The page
 * of a proxy, a network failure and a 5xx prove nothing, and a wrong client key is not the user's.
 */
export function isRefusal(error: unknown): boolean {
  if (!isApiError(error) || error.outcome !== 'rejected') return false;
  return error.code === 'otp_required' || FINAL_STATUSES.includes(error.status);
}

/** Where and for how long renewals run. */
export type RenewalSettings = {
  store: object;
  lockName: string;
  locks: SessionLocks | undefined;
  clock: Clock;
  renewTimeout: number;
};

/**
 * Runs one renewal at a time: here, and in other tabs where there are locks. One that takes too long
 * fails and makes room for the next, and its late result still counts if nothing has changed.
 */
export class Renewals {
  readonly #settings: RenewalSettings;
  #running: { epoch: number; result: Promise<ActiveRecord> } | undefined;

  constructor(settings: RenewalSettings) {
    this.#settings = settings;
  }

  /** Runs the work, or waits for the same renewal if it is running. */
  run(epoch: number, work: (signal: AbortSignal) => Promise<ActiveRecord>): Promise<ActiveRecord> {
    if (this.#running?.epoch === epoch) return this.#running.result;
    const running = { epoch, result: this.#start(work) };
    this.#running = running;
    const forget = () => {
      if (this.#running === running) this.#running = undefined;
    };
    running.result.then(forget, forget);
    return running.result;
  }

  #start(work: (signal: AbortSignal) => Promise<ActiveRecord>): Promise<ActiveRecord> {
    const { store, lockName, locks, clock, renewTimeout } = this.#settings;
    const controller = new AbortController();
    return new Promise<ActiveRecord>((resolve, reject) => {
      let release = () => {};
      const timedOut = new Promise<void>((done) => {
        release = done;
      });
      const cancel = clock.schedule(() => {
        controller.abort();
        reject(new SessionError('session_not_renewed'));
        release();
      }, renewTimeout);
      const start = async () => {
        if (controller.signal.aborted) return;
        const ended = work(controller.signal).then(resolve, reject);
        await Promise.race([ended, timedOut]);
        cancel();
      };
      withLock(store, locks, lockName, start).catch(reject);
    });
  }
}
