/** The part of a browser's `LockManager` that the flow uses. */
export type DelegationLocks = {
  /** Runs the callback with the lock, or with `null` when another tab has it. */
  request(
    name: string,
    options: { ifAvailable: true },
    callback: (lock: object | null) => Promise<void>,
  ): Promise<unknown>;
};

/**
 * Clock, timers and locks of the flow. Tests can replace them. The time limit `readTimeout` always
 * uses a real timer.
 */
export type DelegationRuntime = {
  /** Milliseconds since 1970, up to the year 9999. Default `Date.now`. */
  now?: (() => number) | undefined;
  /**
   * Waits between two reads or two submissions of the proof, and for `promptTimeout`. Default: a
   * timer that an abort ends early.
   */
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /**
   * Locks that keep two tabs from delegating the same thing at once. Default `navigator.locks`, if
   * available.
   */
  locks?: DelegationLocks | undefined;
};

/** Waits until the time is over or the signal is aborted, and leaves no listener or timer. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}

/** Returns the result of the work, or rejects with the given error after the time limit. */
export function within<T>(
  milliseconds: number,
  work: Promise<T>,
  timeoutError: () => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(timeoutError()), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
