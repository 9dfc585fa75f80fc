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
