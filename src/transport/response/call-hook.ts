/**
 * Runs a caller's hook and ignores its errors, thrown or rejected: a hook must neither change the
 * result of a call nor end the process with an unhandled rejection.
 */
export function callHook(hook: () => unknown): void {
  try {
    Promise.resolve(hook()).catch(() => {});
  } catch {
    // See above.
  }
}
