import type { Clock } from '../transport/attempts/clock.js';

/** Returns the result of the work, or rejects with the error when the time is over. */
export function within<T>(
  clock: Clock,
  milliseconds: number,
  work: Promise<T>,
  timeoutError: () => unknown,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const cancel = clock.schedule(() => reject(timeoutError()), milliseconds);
    work.finally(cancel).then(resolve, reject);
  });
}
