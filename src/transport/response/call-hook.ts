/**
 * Runs a caller's hook and ignores its errors, thrown or rejected: a hook must neither change the
 * result of a call nor end the process with an unhandled rejection.
 */
export function callHook(hook: () => unknown): void {
  try {
    const result = hook();
    if (typeof result === 'object' && result !== null && 'then' in result) {
      Promise.resolve(result).catch(() => {});
    }
  } catch {
    // See above.
  }
}
