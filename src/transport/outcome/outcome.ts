import type { RetryClass } from '../../contract/retry-policy.js';
import type { Outcome } from '../../errors/index.js';
import { type ExchangeFacts, isSuccess } from './facts.js';

/** The facts of one attempt that got no usable result. */
export type AttemptFacts = ExchangeFacts & {
  /** Whether the whole body was read. */
  isBodyRead: boolean;
  /** Whether the service itself refused, in a documented error form. */
  isRefusal: boolean;
  /** Whether the response holds evidence that the service acted, such as a transaction hash. */
  hasEvidence: boolean;
};

// 408 claims that the request did not arrive whole, but a proxy may have sent it.
function isClientError(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

/**
 * The outcome of an attempt. The only place where facts become a claim:
 *
 * - provably no connection was established: `not_sent`, whatever the error says;
 * - otherwise, no response: `unknown`;
 * - a success status: `executed`, unless the service refused in the body (`rejected`). A read whose
 *   body is missing got nothing: `unknown`;
 * - 4xx except 408: `rejected`. Where a second request could do harm, only if the service says so
 *   itself: a firewall may drop the service's response and put its own page there;
 * - everything else, 5xx above all: `unknown`, whatever the text says;
 * - evidence of execution beside a refusal: `unknown`.
 */
export function outcomeOfAttempt(facts: AttemptFacts, retryClass: RetryClass): Outcome {
  const { status, isRefusal } = facts;
  if (status === undefined) return facts.connection === 'none' ? 'not_sent' : 'unknown';
  if (isSuccess(status) && !isRefusal) {
    return facts.isBodyRead || retryClass !== 'safe' ? 'executed' : 'unknown';
  }
  if (facts.hasEvidence) return 'unknown';
  if (isSuccess(status)) return 'rejected';
  return isClientError(status) && (isRefusal || retryClass !== 'never') ? 'rejected' : 'unknown';
}

/**
 * The likelier outcome where {@link outcomeOfAttempt} can promise nothing: evidence of execution, a
 * client error, or a server error in words that the contract documents as a refusal.
 */
export function probableOutcomeOfAttempt(
  facts: AttemptFacts,
  isDocumentedRefusal: boolean,
): Outcome | undefined {
  if (facts.hasEvidence) return 'executed';
  const { status } = facts;
  if (status === undefined || isSuccess(status)) return undefined;
  return isClientError(status) || isDocumentedRefusal ? 'rejected' : undefined;
}

/** How much may have happened; of several attempts, the one with the most is reported. */
const EFFECT: Readonly<Record<Outcome, number>> = {
  not_sent: 0,
  rejected: 0,
  unknown: 1,
  executed: 2,
};

/** Whether the service may have acted. */
export function mayHaveActed(outcome: Outcome): boolean {
  return EFFECT[outcome] > 0;
}

/** Whether a second request can do no harm, given what the first may have done. */
export function isSafeToResend(retryClass: RetryClass, outcome: Outcome): boolean {
  return retryClass !== 'never' || !mayHaveActed(outcome);
}

/** Combines the outcomes of the earlier attempts and of the last one: a later refusal undoes nothing. */
export function combineOutcomes(earlier: Outcome, last: Outcome, retryClass: RetryClass): Outcome {
  // A read has no effect that a later refusal could leave in doubt.
  if (retryClass === 'safe') return last;
  return EFFECT[earlier] > EFFECT[last] ? earlier : last;
}
