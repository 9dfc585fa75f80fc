/**
 * How often a request may be repeated after each kind of failure. The service has no idempotency
 * key, so this is a property of the endpoint, never of the HTTP verb.
 */
export type RepeatPolicy = {
  /** Class of the matrix: R pure read, S same effect when repeated, M mints a credential, N never. */
  readonly class: 'R' | 'S' | 'M' | 'N';
  /** Requests that may reach the service in one call. */
  readonly maxDelivered: number;
  /** Further tries after a failure that provably delivered nothing. */
  readonly afterConnectFailure: number;
  /** Whether to repeat when the request left and no answer came (reset, timeout, 408). */
  readonly afterNoAnswer: boolean;
  /** Statuses of 5xx after which to repeat. */
  readonly afterStatus: readonly number[];
  /** Whether to repeat after 429. */
  readonly afterRateLimit: boolean;
  /** Milliseconds after the first attempt within which a repeat is still wanted. */
  readonly within?: number;
};

const UNAVAILABLE = [502, 503, 504] as const;
const ANY_FAILURE = [500, 502, 503, 504] as const;

// A spread is work to a bundler, which then keeps what nobody uses.
// @__NO_SIDE_EFFECTS__
function changed(policy: RepeatPolicy, changes: Partial<RepeatPolicy>): RepeatPolicy {
  return {
    ...policy,
    ...changes,
  };
}

/** Class R: a pure read. */
export const READ: RepeatPolicy = {
  class: 'R',
  maxDelivered: 3,
  afterConnectFailure: 2,
  afterNoAnswer: true,
  afterStatus: ANY_FAILURE,
  afterRateLimit: true,
};

/** Class S: the effect is the same when repeated. */
export const SAME_EFFECT = changed(READ, { class: 'S', maxDelivered: 2 });

/** Class S, for as long as nobody is likely to have done the opposite meanwhile. */
export const SAME_EFFECT_WITHIN_10_S = changed(SAME_EFFECT, { within: 10_000 });

/** Class S, but a 500 is final: the first request may have been acted on and cannot be told apart. */
export const SAME_EFFECT_UNLESS_500 = changed(SAME_EFFECT, { afterStatus: UNAVAILABLE });

/** Class M: mints another short-lived credential that does no harm. */
export const MINT = changed(SAME_EFFECT, { class: 'M' });

/** Class M, where each repeat leaves one more live URL or session behind. */
export const MINT_SPARINGLY = changed(MINT, { afterNoAnswer: false, afterStatus: UNAVAILABLE });

/** Class M, where only 503 says surely that no URL was made. */
export const MINT_ONLY_AFTER_503 = changed(MINT_SPARINGLY, { afterStatus: [503] });

/** Class N: never again once it may have reached the service. */
export const NEVER: RepeatPolicy = {
  class: 'N',
  maxDelivered: 1,
  afterConnectFailure: 2,
  afterNoAnswer: false,
  afterStatus: [],
  afterRateLimit: false,
};

/** Class N for logins and one-time codes: one further try, because they count toward a lockout. */
export const NEVER_LOGIN = changed(NEVER, { afterConnectFailure: 1 });
