/**
 * Runs a caller's hook. What it throws, now or later, changes nothing: a hook must neither decide
 * what a call returns nor end the process by a rejection that nobody handles.
 */
export function quietly(hook: () => unknown): void {
  try {
    const result = hook();
    if (typeof result === 'object' && result !== null && 'then' in result) {
      Promise.resolve(result).catch(() => {});
    }
  } catch {
    // See above.
  }
}
