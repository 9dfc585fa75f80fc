import { type ApiError, isApiError, outcomeOf } from '../../endpoints/index.js';
import { isOwnAnswer } from '../../errors/is-own-answer.js';

const EXPIRED = /(?:invalid or expired contact verification id|verification code has expired)/i;
const NOT_VERIFIED = /\bnot (?:been )?verified\b/i;

/** Whether the service itself refused a step. In practice it also responds with bare text. */
export function isRefused(error: unknown): error is ApiError {
  if (!isApiError(error) || error.status < 400 || error.status >= 500 || error.status === 408) {
    return false;
  }
  return isOwnAnswer(error);
}

/** Whether a step that cannot be sent twice certainly had no effect. */
export function hadNoEffect(error: unknown): boolean {
  const outcome = outcomeOf(error);
  return outcome === 'not_sent' || outcome === 'rejected' || isRefused(error);
}

/** Whether a refused code is too old: another one must be sent. The texts are those of one client. */
export function isExpiredCode(error: unknown): boolean {
  return isRefused(error) && EXPIRED.test(error.serverMessage ?? '');
}

/** Whether a step was refused because the identity is not verified. */
export function isNotVerified(error: unknown): boolean {
  if (!isRefused(error)) return false;
  return error.serverCode === 'USER_NOT_VERIFIED' || NOT_VERIFIED.test(error.serverMessage ?? '');
}
