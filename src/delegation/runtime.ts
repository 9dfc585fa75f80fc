/** Time, as the flow needs it. Passed in, so that a test can decide what time it is. */
export type DelegationRuntime = {
  /** Milliseconds since 1970, up to the year 9999. Default `Date.now`. */
  now?: (() => number) | undefined;
  /** Waits between two looks at the chain. Default a timer that ends early when aborted. */
  sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

/** A wait that ends when the signal is aborted, and leaves no listener or timer behind. */
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

/** The work's result, or the signal's own reason as soon as it is aborted. */
export function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The work's result, or the given error once the limit has passed. */
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
