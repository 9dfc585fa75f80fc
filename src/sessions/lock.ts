import type { SessionLocks } from './types.js';

/** The end of the last work under each name, by store: several sessions may share a store. */
const queues = new WeakMap<object, Map<string, Promise<unknown>>>();

async function underBrowserLock(
  locks: SessionLocks,
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  let started = false;
  const start = () => {
    started = true;
    return work();
  };
  try {
    await locks.request(name, start);
  } catch (error) {
    // A page without storage, such as a sandboxed frame, has locks that always fail.
    if (started) throw error;
    await work();
  }
}

/**
 * Runs work while no other work with this name runs: here, and in other tabs where there are locks.
 * The work must end by itself.
 */
export function withLock(
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
