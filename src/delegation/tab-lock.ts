import { DelegationInProgressError } from './flow-errors.js';
import type { DelegationLocks } from './runtime.js';

/** Returns the browser's locks; `undefined` where there are none, such as in Node.js 20. */
export function browserLocks(): DelegationLocks | undefined {
  const { navigator } = globalThis as { navigator?: { locks?: DelegationLocks } };
  return navigator?.locks;
}

/**
 * Runs work while no other tab does the same. The browser releases the lock of a tab that is closed.
 *
 * @param work called with whether it has the lock: without locks it runs all the same
 * @throws DelegationInProgressError when another tab has the lock
 */
export async function withLock<T>(
  locks: DelegationLocks | undefined,
  name: string,
  work: (isLocked: boolean) => Promise<T>,
): Promise<T> {
  if (locks === undefined) return work(false);
  let running: Promise<T> | undefined;
  let isTaken = false;
  const hold = async (lock: object | null) => {
    isTaken = lock === null;
    if (isTaken) return;
    running = work(true);
    await running.catch(() => undefined);
  };
  // A page without storage, such as a sandboxed frame, has locks that always fail.
  await locks.request(name, { ifAvailable: true }, hold).catch(() => undefined);
  if (isTaken) throw new DelegationInProgressError();
  return running ?? work(false);
}
