import type { SessionSettings } from './options.js';
import type { ActiveRecord } from './record.js';
import { SessionError } from './session-error.js';
import type { SessionLocks } from './types.js';

/** The end of the last work under each name, by store: several sessions may share a store. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

async function underBrowserLock(
  locks: SessionLocks,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  let running: Promise<void> | undefined;
  const start = () => {
    running = work();
    return running;
  };
  try {
    await locks.request(name, start);
  } catch {
    // A page without storage, such as a sandboxed frame, has locks that always fail. A lock that another page has
    // stolen leaves the work running.
    await (running ?? work());
  }
}

/**
 * Runs work while no other work with this name runs: here, and in other tabs where there are locks.
 * The work must end by itself.
 */
function withLock(
  store: object,
  locks: SessionLocks | undefined,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  const queue = queues.get(store) ?? new Map<string, Promise<unknown>>();
  queues.set(store, queue);
  const start = () => (locks === undefined ? work() : underBrowserLock(locks, name, work));
  const done = (queue.get(name) ?? Promise.resolve()).then(start);
  const settled = done.catch(() => undefined);
  queue.set(name, settled);
  return done;
}

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
