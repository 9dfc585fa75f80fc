import { withLock } from './lock.js';
import type { SessionSettings } from './options.js';
import type { ActiveRecord } from './record.js';
import { SessionError } from './session-error.js';

/**
 * Runs one renewal at a time: here, and in other tabs where there are locks. One that takes too long
 * fails and makes room for the next, and its late result still counts if nothing has changed.
 */
export class Renewals {
  readonly #settings: SessionSettings;
  #running: { token: string; result: Promise<ActiveRecord> } | undefined;

  constructor(settings: SessionSettings) {
    this.#settings = settings;
  }

  /** Runs the work, or waits for the renewal of the same token if it is running. */
  run(token: string, work: (signal: AbortSignal) => Promise<ActiveRecord>): Promise<ActiveRecord> {
    if (this.#running?.token === token) return this.#running.result;
    const running = { token, result: this.#start(work) };
    this.#running = running;
    const forget = () => {
      if (this.#running === running) this.#running = undefined;
    };
    running.result.then(forget, forget);
    return running.result;
  }

  #start(work: (signal: AbortSignal) => Promise<ActiveRecord>): Promise<ActiveRecord> {
    const { store, key, locks, clock, renewTimeout } = this.#settings;
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
      withLock(store, locks, `card-platform-sdk ${key} renewal`, start).catch(reject);
    });
  }
}
