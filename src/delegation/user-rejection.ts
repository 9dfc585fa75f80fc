const DEEPEST_CAUSE = 5;
const NAMES = /^(UserRejectedRequestError|UserRejectedError)$/;

/**
 * Whether an error that a wallet threw means that the user said no. Wallets and their libraries
 * wrap EIP-1193's code 4001, so the causes are looked through as well.
 */
export function isUserRejection(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < DEEPEST_CAUSE; depth++) {
    if (typeof current !== 'object' || current === null) return false;
    const { code, name, cause, error: inner } = current as Record<string, unknown>;
    if (code === 4001 || code === 'ACTION_REJECTED') return true;
    if (typeof name === 'string' && NAMES.test(name)) return true;
    current = cause ?? inner;
  }
  return false;
}
