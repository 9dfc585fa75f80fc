import { isApiError, isCardPlatformError } from '../errors/index.js';
import { outcomeOf } from '../transport/outcome/outcome-of.js';

const FINAL_STATUSES: readonly number[] = [400, 401, 403];

/**
 * Whether the service refused to renew: a dead refresh token, or a login that needs the user. An error
 * page of a proxy, a network failure and a 5xx prove nothing. A wrong client key is not the user's fault.
 */
export function isRefusal(error: unknown): boolean {
  if (!isCardPlatformError(error) || error.outcome !== 'rejected') return false;
  if (error.code === 'otp_required' || error.code === 'oauth_refused') return true;
  return isApiError(error) && FINAL_STATUSES.includes(error.status);
}

/**
 * Whether a refresh token that was about to be sent can still be used: it provably did not arrive, the
 * service refused the request, or responded that it failed.
 */
export function leavesRefreshToken(error: unknown): boolean {
  const outcome = outcomeOf(error);
  if (outcome === 'not_sent' || outcome === 'rejected') return true;
  return isApiError(error) && error.status >= 500;
}
