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
  /** The maximum number of requests that may reach the service in one call, apart from one after a 401. */
  readonly maxRequests: number;
  /** The maximum number of retries after failures that provably delivered nothing. */
  readonly afterConnectFailure: number;
  /** Whether to retry when the request left and no response came (reset, timeout, 408). */
  readonly afterNoResponse: boolean;
  /** 5xx statuses after which to retry. */
  readonly afterStatuses: readonly number[];
  /** Whether to retry after 429. */
  readonly afterRateLimit: boolean;
  /** Milliseconds after the first attempt during which a request that may have arrived is sent again. */
  readonly within?: number;
};

const ANY_FAILURE = [500, 502, 503, 504] as const;

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

/** A second request issues another short-lived token, which is harmless. */
export const ISSUES_TOKEN: RetryPolicy<'issues-token'> = {
  class: 'issues-token',
  maxRequests: 2,
  afterConnectFailure: 2,
  afterNoResponse: true,
  afterStatuses: ANY_FAILURE,
  afterRateLimit: true,
};

/** Not sent again once it may have reached the service. */
export const NEVER: RetryPolicy<'never'> = {
  class: 'never',
  maxRequests: 1,
  afterConnectFailure: 2,
  afterNoResponse: false,
  afterStatuses: [],
  afterRateLimit: false,
};

/** The strictest class that a call of an endpoint can have, whatever its input. */
export function strictestClass({
  retry,
  retryWhen = { retry },
}: {
  readonly retry: RetryPolicy;
  readonly retryWhen?: { readonly retry: RetryPolicy } | undefined;
}): RetryClass {
  const danger = ({ class: name }: RetryPolicy) => RETRY_CLASSES.indexOf(name);
  return danger(retryWhen.retry) > danger(retry) ? retryWhen.retry.class : retry.class;
}

/** The policy of an endpoint when only its class is known. */
export const POLICY_OF_CLASS: Readonly<Record<RetryClass, RetryPolicy>> = {
  safe: SAFE,
  idempotent: IDEMPOTENT,
  'issues-token': ISSUES_TOKEN,
  never: NEVER,
};

/** When to retry an endpoint, as its declaration says it. What is left out is as in its class. */
export type RetryDeclaration<Class extends RetryClass = RetryClass> = {
  /**
   * What a second request would do. `safe`: nothing, it only reads. `idempotent`: the same as the
   * first. `issues-token`: leave another live token or URL, which is harmless. `never`: possibly move
   * money twice, so the request is not sent again once it may have arrived. Required, because it
   * decides whether money can move twice. The options below only lower what the class allows.
   */
  readonly retry: Class;
  /**
   * How many requests of one call may reach the service. With 1, `isRetryable` of an error is `false` too,
   * unless the call provably had no effect or the class is `safe`: a second call would be a second request.
   */
  readonly maxRequests?: number | undefined;
  /** Milliseconds after the first attempt during which a retry may start. Default: no limit. */
  readonly retryWithin?: number | undefined;
  /** `false`: no retry when the request left and no response came. */
  readonly retryAfterNoResponse?: boolean | undefined;
  /** The statuses from 500 to 599 after which to retry, and no others. */
  readonly retryAfterStatuses?: readonly number[] | undefined;
  /** How many retries may follow failures that provably delivered nothing. */
  readonly retryAfterConnectFailure?: number | undefined;
};

/**
 * Returns the policy that retries only where both do.
 *
 * @param retryClass - the class of the result
 */
export function stricterPolicy<Class extends RetryClass>(
  one: RetryPolicy,
  other: RetryPolicy,
  retryClass: Class,
): RetryPolicy<Class> {
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

/** The policy of a class, lowered by the options of a declaration. */
// @__NO_SIDE_EFFECTS__
export function retryPolicy<Class extends RetryClass>(
  options: RetryDeclaration<Class>,
): RetryPolicy<Class> {
  const { retry, maxRequests, retryWithin, ...after } = options;
  const policy = POLICY_OF_CLASS[retry];
  const lowered: RetryPolicy = {
    ...policy,
    maxRequests: maxRequests ?? policy.maxRequests,
    afterConnectFailure: after.retryAfterConnectFailure ?? policy.afterConnectFailure,
    afterNoResponse: after.retryAfterNoResponse ?? policy.afterNoResponse,
    afterStatuses: after.retryAfterStatuses ?? policy.afterStatuses,
    ...(retryWithin !== undefined && { within: retryWithin }),
  };
  return stricterPolicy(policy, lowered, retry);
}
