import type { RetryClass } from '../../contract/retry-policy.js';
import type { Outcome } from '../../errors/index.js';

/**
 * What an HTTP adapter saw of one exchange. Facts only: this folder alone decides what they mean. An
 * adapter writes them while the exchange runs, so they are also true of one that was cut short.
 */
export type ExchangeFacts = {
  /**
   * `none`: provably no connection (TLS included) was established, so nothing was sent.
   * `established`: the request may have been sent. `unproven`: the adapter cannot see connections.
   */
  connection: 'none' | 'established' | 'unproven';
  /** HTTP status, once a response has begun. */
  status: number | undefined;
};

/** The facts of an exchange that never started. */
export const NOT_STARTED: ExchangeFacts = { connection: 'none', status: undefined };

/** Whether a response has a success status. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The status that says that what the caller knows is still true, and sends nothing. */
export const NOT_MODIFIED = 304;

/** Whether a status is a redirect, of which nothing is read. */
export function isRedirect(status: number): boolean {
  // A browser reports a redirect that is not followed as status 0.
  return status === 0 || (status >= 300 && status < 400 && status !== NOT_MODIFIED);
}

/** The facts of one attempt that got no usable result. */
export type AttemptFacts = ExchangeFacts & {
  /**
   * What the service said in a documented form, in a body that was read whole: that it acted
   * (`success`), or that it refused. Else what the body suggests: that the service did not act
   * (`failure`), both or neither of them (`unclear`), or no such thing (`nothing`).
   */
  says: 'success' | 'refusal' | 'failure' | 'unclear' | 'nothing';
  /** Whether the response contains evidence that the service acted, such as a transaction hash. */
  hasEvidence: boolean;
};

/** The facts of a response whose body was not read to its end. */
export const UNREAD = { says: 'nothing', hasEvidence: false } as const;

/**
 * The class by which such a response is judged. A proxy answers with the status of its last request,
 * which a retry may have been, and only its report says what became of the others. So the status alone
 * proves no refusal, unless the call only reads.
 */
export function classOfUnread(retryClass: RetryClass, isProxied: boolean): RetryClass {
  return isProxied && retryClass !== 'safe' ? 'never' : retryClass;
}

// 408 claims that the request did not arrive whole, but a proxy may have sent it.
function isClientError(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408;
}

/**
 * The outcome of an attempt whose request was handed to an adapter, except for redirects and what a
 * proxy reports. What ends a call earlier (its options, its input, the journal, middleware, a wait) is
 * `not_sent` where it is thrown. The rule:
 *
 * - provably no connection was established: `not_sent`, whatever the error says;
 * - otherwise, no response: `unknown`;
 * - a success status: `executed` or `rejected` if the service says so itself, in a documented form
 *   that was read whole. The status alone proves nothing: a portal, a cache or a maintenance page
 *   sends 200 too, and the service itself refuses with 200;
 * - 4xx except 408: `rejected`. Where a second request could do harm, only if the service says so
 *   itself: a firewall may drop the service's response and put its own page there;
 * - everything else, 5xx above all: `unknown`, whatever the text says;
 * - evidence of execution beside a refusal: `unknown`.
 */
export function outcomeOfAttempt(facts: AttemptFacts, retryClass: RetryClass): Outcome {
  const { status, says } = facts;
  if (status === undefined) return facts.connection === 'none' ? 'not_sent' : 'unknown';
  const isRefusal = says === 'refusal';
  if (isSuccess(status) && !isRefusal) return says === 'success' ? 'executed' : 'unknown';
  if (facts.hasEvidence) return 'unknown';
  if (isSuccess(status)) return 'rejected';
  return isClientError(status) && (isRefusal || retryClass !== 'never') ? 'rejected' : 'unknown';
}

/**
 * The likelier outcome where {@link outcomeOfAttempt} can promise nothing. `executed`: evidence of
 * execution, or a success status whose body suggests nothing else. `rejected`: a body that says so
 * in other words, a client error, or a server error in words that the contract documents. A read
 * executes nothing.
 */
export function probableOutcomeOfAttempt(
  { status, says, hasEvidence }: AttemptFacts,
  retryClass: RetryClass,
  isDocumentedRefusal = false,
): Outcome | undefined {
  if (hasEvidence) return 'executed';
  if (status === undefined) return undefined;
  if (says === 'failure') return 'rejected';
  if (isSuccess(status))
    return says === 'unclear' || retryClass === 'safe' ? undefined : 'executed';
  return isClientError(status) || isDocumentedRefusal ? 'rejected' : undefined;
}

/** The outcome of an attempt, and the likelier one where nothing is promised. */
export function outcomesOf(
  facts: AttemptFacts,
  retryClass: RetryClass,
  {
    isDocumentedRefusal = false,
    reported,
  }: { isDocumentedRefusal?: boolean; reported?: Outcome | undefined } = {},
): { outcome: Outcome; probableOutcome: Outcome | undefined } {
  const outcome = reported ?? outcomeOfAttempt(facts, retryClass);
  const probable = probableOutcomeOfAttempt(facts, retryClass, isDocumentedRefusal);
  return { outcome, probableOutcome: outcome === 'unknown' ? probable : undefined };
}

/** How far a call may have come; of several attempts, the one that may have come furthest is reported. */
const PROGRESS: readonly Outcome[] = ['not_sent', 'rejected', 'unknown', 'executed'];

/** Whether the service may have acted. */
export function mayHaveActed(outcome: Outcome): boolean {
  return outcome === 'unknown' || outcome === 'executed';
}

/** Whether a second request can do no harm, given what the first may have done. */
export function isSafeToResend(retryClass: RetryClass, outcome: Outcome): boolean {
  return retryClass !== 'never' || !mayHaveActed(outcome);
}

/**
 * The probable outcome of a call after its last attempt, which cannot make likely that an earlier one, which
 * is in doubt, did nothing.
 */
export function probableOfCall(
  earlier: Outcome,
  probable: Outcome | undefined,
  retryClass: RetryClass,
): Outcome | undefined {
  const isInDoubt = retryClass !== 'safe' && mayHaveActed(earlier);
  return isInDoubt && probable === 'rejected' ? undefined : probable;
}

/**
 * Combines the outcomes of the earlier attempts and of the last one: a later refusal undoes nothing, and
 * a call of which one request arrived was sent.
 */
export function combineOutcomes(earlier: Outcome, last: Outcome, retryClass: RetryClass): Outcome {
  // A read has no effect that a later refusal could leave in doubt.
  if (retryClass === 'safe' && last !== 'not_sent') return last;
  return PROGRESS.indexOf(earlier) > PROGRESS.indexOf(last) ? earlier : last;
}
