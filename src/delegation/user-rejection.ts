import { errorCauses } from './error-causes.js';

const USER_REJECTION = /^(UserRejectedRequestError|UserRejectedError)$/;

/**
 * Whether an error that a wallet threw means that the user declined: EIP-1193's code 4001 or one of
 * its other spellings, in the error or in one of its causes.
 */
export function isUserRejection(error: unknown): boolean {
  return errorCauses(error).some(
    ({ code, name }) => code === 4001 || code === 'ACTION_REJECTED' || USER_REJECTION.test(name),
  );
}
