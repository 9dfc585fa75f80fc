import type { BusinessErrorCode } from '../../contract/business-errors.js';
import type { RetryClass } from '../../contract/retry-policy.js';
import type { CardPlatformError, Outcome } from '../../errors/index.js';
import type { CallFacts } from '../response/error-response.js';
import type { HttpResponse } from '../response/http-response.js';
import { isSafeToResend } from './outcome.js';

/**
 * What kind of failure it is, for the retry decision: nothing was sent (`no-connection`), no whole
 * response came (`no-response`), an error status (`status`), or something that another attempt
 * cannot change (`final`).
 */
export type FailureKind = 'no-connection' | 'no-response' | 'status' | 'final';

/** An attempt that got no usable response. */
export type FailedAttempt = {
  /** `undefined` when no response began. */
  status: number | undefined;
  /** A whole response, where one came. */
  response?: HttpResponse | undefined;
  businessCode?: BusinessErrorCode | undefined;
  /** Whether the service itself refused, in a documented error form. */
  isRefusal?: boolean | undefined;
  outcome: Outcome;
  probableOutcome?: Outcome | undefined;
  kind: FailureKind;
  /** Whether a proxy reported the outcome: it has already made the retries that the endpoint allows. */
  isReported?: boolean;
  /** Whether another call may succeed, as a proxy reports it. Default: as the failure suggests. */
  mayPass?: boolean | undefined;
  timedOut: boolean;
  retryAfterMs?: number | undefined;
  toError(facts: CallFacts): CardPlatformError;
};

/** Whether the failure may be temporary. */
function isTransient({ kind, status }: FailedAttempt): boolean {
  if (kind === 'final') return false;
  return kind !== 'status' || status === 408 || status === 429 || Number(status) >= 500;
}

/**
 * Whether the caller may send the same call again with a chance of success.
 *
 * @param outcome - of the whole call
 */
export function isRetryable(
  failed: FailedAttempt,
  outcome: Outcome,
  retryClass: RetryClass,
): boolean {
  return isSafeToResend(retryClass, outcome) && (failed.mayPass ?? isTransient(failed));
}
