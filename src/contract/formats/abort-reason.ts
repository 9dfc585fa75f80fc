/**
 * Returns the reason of an aborted signal. React Native before 0.88 has none, so there it is an
 * `Error` with the name that `fetch` uses elsewhere.
 */
export function abortReason(signal: AbortSignal): unknown {
  const reason: unknown = signal.reason;
  if (reason !== undefined) return reason;
  return Object.assign(new Error('The operation was aborted.'), { name: 'AbortError' });
}

/** Throws the reason of an aborted signal. React Native before 0.88 has no `throwIfAborted`. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortReason(signal);
}

/** Returns the result of the work, or rejects with the signal's reason once it is aborted. */
export function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(abortReason(signal));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
