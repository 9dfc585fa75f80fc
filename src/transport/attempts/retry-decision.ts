import type { RetryPolicy } from '../../contract/retry-policy.js';
import type { FailedAttempt } from '../outcome/failed-attempt.js';

/** What has happened in a call so far. */
export type AttemptCounters = {
  /** Attempts that have begun. */
  attempts: number;
  /** Requests that may have reached the service. */
  delivered: number;
  /** Attempts that provably sent nothing. */
  connectFailures: number;
  /** Milliseconds from just before the first attempt until the last one failed. */
  elapsed: number;
};

function allows(policy: RetryPolicy, { kind, status }: FailedAttempt): boolean {
  if (kind === 'no-response' || status === 408) return policy.afterNoResponse;
  if (status === 429) return policy.afterRateLimit;
  return status !== undefined && policy.afterStatuses.includes(status);
}

/**
 * Whether a request that is sent after `delay` milliseconds is still within the time in which the
 * endpoint is retried. Requests that sent nothing do not count.
 */
export function isInTime(
  { within }: RetryPolicy,
  { delivered, elapsed }: AttemptCounters,
  delay = 0,
): boolean {
  return within === undefined || delivered === 0 || elapsed + delay <= within;
}

/** Whether the retry policy of the endpoint allows another request after this failure. */
export function canRetry(
  failed: FailedAttempt,
  policy: RetryPolicy,
  counters: AttemptCounters,
): boolean {
  if (failed.kind === 'final' || failed.isReported) return false;
  const { delivered, connectFailures } = counters;
  if (delivered >= policy.maxRequests) return false;
  return failed.kind === 'no-connection'
    ? connectFailures <= policy.afterConnectFailure
    : allows(policy, failed);
}
