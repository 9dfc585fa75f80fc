/** What a second request of the same call would do, from harmless to dangerous. */
export const RETRY_CLASSES = ['safe', 'idempotent', 'issues-token', 'never'] as const;

/**
 * What a second request would do. `safe`: nothing, it only reads. `idempotent`: the same as the
 * first. `issues-token`: leave another live token or URL, which is harmless. `never`: possibly move
 * money twice, so the request is not sent again once it may have arrived.
 */
export type RetryClass = (typeof RETRY_CLASSES)[number];

/**
 * When to retry an endpoint. The service has no idempotency key, so this is a property of the
 * endpoint, never of the HTTP verb.
 */
export type RetryPolicy<Class extends RetryClass = RetryClass> = {
  readonly class: Class;
  /** The maximum number of requests that may reach the service in one call. */
  readonly maxRequests: number;
  /** The maximum number of retries after failures that provably delivered nothing. */
  readonly afterConnectFailure: number;
  /** Whether to retry when the request left and no response came (reset, timeout, 408). */
  readonly afterNoResponse: boolean;
  /** 5xx statuses after which to retry. */
  readonly afterStatuses: readonly number[];
  /** Whether to retry after 429. */
  readonly afterRateLimit: boolean;
  /** Milliseconds after the first attempt during which a retry may start. */
  readonly within?: number;
};

const UNAVAILABLE = [502, 503, 504] as const;
const ANY_FAILURE = [500, 502, 503, 504] as const;

// A bundler treats a spread as a side effect, and keeps it even when nobody uses the result.
// @__NO_SIDE_EFFECTS__
function changed<Class extends RetryClass>(
  policy: RetryPolicy<Class>,
  changes: Partial<Omit<RetryPolicy, 'class'>>,
): RetryPolicy<Class> {
  return {
    ...policy,
    ...changes,
  };
}

/** The endpoint only reads. */
export const SAFE: RetryPolicy<'safe'> = {
  class: 'safe',
  maxRequests: 3,
  afterConnectFailure: 2,
  afterNoResponse: true,
  afterStatuses: ANY_FAILURE,
  afterRateLimit: true,
};

/** A second request has the same effect as the first. */
export const IDEMPOTENT: RetryPolicy<'idempotent'> = {
  class: 'idempotent',
  maxRequests: 2,
  afterConnectFailure: 2,
  afterNoResponse: true,
  afterStatuses: ANY_FAILURE,
  afterRateLimit: true,
};

/** Idempotent only while nobody is likely to have done the opposite in the meantime. */
export const IDEMPOTENT_FOR_10_SECONDS = changed(IDEMPOTENT, { within: 10_000 });

/** Idempotent, but a 500 is final: the first request may have taken effect unseen. */
export const IDEMPOTENT_EXCEPT_AFTER_500 = changed(IDEMPOTENT, { afterStatuses: UNAVAILABLE });

/** A second request issues another short-lived token, which is harmless. */
export const ISSUES_TOKEN: RetryPolicy<'issues-token'> = {
  class: 'issues-token',
  maxRequests: 2,
  afterConnectFailure: 2,
  afterNoResponse: true,
  afterStatuses: ANY_FAILURE,
  afterRateLimit: true,
};

/** Each retry leaves one more live URL or session, so retry only after a clear failure. */
export const ISSUES_TOKEN_AFTER_5XX_ONLY = changed(ISSUES_TOKEN, {
  afterNoResponse: false,
  afterStatuses: UNAVAILABLE,
});

/** Of the 5xx statuses, only 503 reliably means that no URL was issued. */
export const ISSUES_TOKEN_AFTER_503_ONLY = changed(ISSUES_TOKEN_AFTER_5XX_ONLY, {
  afterStatuses: [503],
});

/** Not sent again once it may have reached the service. */
export const NEVER: RetryPolicy<'never'> = {
  class: 'never',
  maxRequests: 1,
  afterConnectFailure: 2,
  afterNoResponse: false,
  afterStatuses: [],
  afterRateLimit: false,
};

/** Logins and one-time passwords: one retry only, because attempts count toward a lockout. */
export const NEVER_LOGIN = changed(NEVER, { afterConnectFailure: 1 });

/** The policy of an endpoint when only its class is known. */
export const POLICY_OF_CLASS: Readonly<Record<RetryClass, RetryPolicy>> = {
  safe: SAFE,
  idempotent: IDEMPOTENT,
  'issues-token': ISSUES_TOKEN,
  never: NEVER,
};

/**
 * Returns the policy that retries only where both do.
 *
 * @param retryClass - the class of the result
 */
export function stricterPolicy(
  one: RetryPolicy,
  other: RetryPolicy,
  retryClass: RetryClass,
): RetryPolicy {
  const within = Math.min(one.within ?? Infinity, other.within ?? Infinity);
  return {
    class: retryClass,
    maxRequests: Math.min(one.maxRequests, other.maxRequests),
    afterConnectFailure: Math.min(one.afterConnectFailure, other.afterConnectFailure),
    afterNoResponse: one.afterNoResponse && other.afterNoResponse,
    afterStatuses: one.afterStatuses.filter((status) => other.afterStatuses.includes(status)),
    afterRateLimit: one.afterRateLimit && other.afterRateLimit,
    ...(within < Infinity && { within }),
  };
}
