import type { RetryResolution } from '../../contract/endpoint.js';
import { isHtml } from '../../contract/formats/html.js';
import { encodeUser, TIME_LEFT_HEADER, USER_HEADER } from '../../contract/proxy-headers.js';
import type { RetryPolicy } from '../../contract/retry-policy.js';
import {
  type CardPlatformError,
  ConnectionError,
  type ErrorFacts,
  isCardPlatformError,
  type Outcome,
  TimeoutError,
} from '../../errors/index.js';
import { type FailedAttempt, isRetryable } from '../outcome/failed-attempt.js';
import { isInstance } from '../outcome/network-error.js';
import {
  combineOutcomes,
  isSafeToResend,
  mayHaveActed,
  probableOfCall,
} from '../outcome/outcome.js';
import { callHook } from '../response/call-hook.js';
import { factsOfCall, shownRequestId } from '../response/error-response.js';
import type { HttpResponse } from '../response/http-response.js';
import { type AttemptResult, attemptThroughMiddleware, secretsOf } from './attempt.js';
import type { AttemptPlan, BackoffOptions, LogFields } from './attempt-plan.js';
import { CallAborted, CallInterrupted, type Work } from './deadline.js';

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

/** Exponential back-off with full jitter: anything from 0 to the doubled delay, capped. */
export function backoffDelay(retry: number, options: BackoffOptions, random: () => number): number {
  return random() * Math.min(options.maxDelay, options.baseDelay * 2 ** (retry - 1));
}

/** Logs how one attempt ended: `outcome` is set for one that failed, `delay` where another follows. */
function logAttempt(
  plan: AttemptPlan,
  { response, failed }: AttemptResult,
  attempt: {
    credentials: Readonly<Record<string, string>>;
    counters: AttemptCounters;
    startedAt: number;
    outcome: Outcome | undefined;
    delay: number | undefined;
  },
): void {
  const { endpoint, settings } = plan;
  const { logger, clock } = settings;
  if (logger === undefined) return;
  const { counters, startedAt, outcome, delay } = attempt;
  const headers = (response ?? failed?.response)?.headers;
  const fields: LogFields = {
    operation: endpoint.id,
    method: endpoint.method,
    route: endpoint.path,
    attempt: counters.attempts,
    durationMs: clock.elapsed() - startedAt,
    status: response?.status ?? failed?.status,
    requestId: headers && shownRequestId(headers, secretsOf(plan, attempt.credentials)),
    ...(outcome !== undefined && { outcome, retryInMs: delay }),
  };
  const failure = delay === undefined ? 'failed' : 'will be retried';
  // The body has not been read yet: it may be a refusal.
  const [level, resultText] =
    outcome === undefined ? (['debug', 'got a response'] as const) : (['warn', failure] as const);
  callHook(() => logger[level](fields, `${endpoint.id} ${resultText}`));
}

/** What a call received in the end. */
export type Received = {
  response: HttpResponse;
  attempts: number;
  /** How far the earlier attempts may have come. */
  earlier: Outcome;
  credentials: Readonly<Record<string, string>>;
  /**
   * Set when an error status is the result: the endpoint says so, or the refusal of a retry shows that
   * the first request had succeeded.
   */
  resolution?: { result: unknown } | undefined;
};

/**
 * What a call rejects with after the caller's code has ended it: with the caller's own value, unless
 * that is an error of this package which says something else than this call about what may have been
 * done.
 */
export function errorOfAbort(
  reason: unknown,
  facts: Omit<ErrorFacts, 'code' | 'message'>,
): CallAborted | CardPlatformError {
  const isHidden =
    isCardPlatformError(reason) &&
    facts.isRead !== true &&
    (mayHaveActed(facts.outcome) || mayHaveActed(reason.outcome)) &&
    (reason.outcome !== facts.outcome || reason.operation !== facts.operation);
  if (!isHidden) return new CallAborted(reason, facts.outcome, stepAfterAbort(facts));
  const message = 'the call was ended by an error of this package.';
  const { outcome } = facts;
  const isUndone = !mayHaveActed(outcome);
  // A login of the token provider that was lost must be made again before this call can be.
  const next = isUndone && reason.next === 'log_in' ? reason.next : undefined;
  const isRetryable = isUndone && next === undefined;
  return new ConnectionError({ ...facts, message, next, isRetryable }, reason);
}

/** The step after an abort of a read, which can be repeated, or of a login, which a new one replaces. */
function stepAfterAbort({
  isRead,
  isLogin,
  outcome,
}: Pick<ErrorFacts, 'isRead' | 'isLogin' | 'outcome'>) {
  if (isRead) return 'retry';
  return isLogin && outcome === 'unknown' ? 'log_in' : undefined;
}

/** The attempts of one call, one after the other. */
class Attempts {
  readonly #plan: AttemptPlan;
  readonly #startedAt: { elapsed: number; now: number };
  readonly #counters: AttemptCounters = {
    attempts: 0,
    delivered: 0,
    connectFailures: 0,
    elapsed: 0,
  };
  /** How far the earlier attempts may have come. */
  #earlier: Outcome = 'not_sent';
  /** The last attempt, if it failed and another one follows. */
  #previous: FailedAttempt | undefined;
  #hasRenewed = false;

  constructor(plan: AttemptPlan) {
    this.#plan = plan;
    const { clock } = plan.settings;
    this.#startedAt = { elapsed: clock.elapsed(), now: clock.now() };
  }

  async run(): Promise<Received> {
    const counters = this.#counters;
    const { beforeCredentials, beforeSending, afterRenewal } = this.#plan;
    let isChecked = false;
    const prepared = beforeCredentials?.();
    if (prepared !== undefined) await this.#betweenAttempts('journal', () => prepared);
    for (;;) {
      const credentials = await this.#credentials();
      if (beforeSending !== undefined && counters.attempts === 0) {
        await this.#betweenAttempts('journal', () => beforeSending(credentials));
      }
      if (afterRenewal !== undefined && counters.attempts > 0 && this.#hasRenewed && !isChecked) {
        await this.#betweenAttempts('journal', () => afterRenewal(credentials));
        isChecked = true;
      }
      this.#requireMaySend();
      const startedAt = this.#plan.settings.clock.elapsed();
      counters.attempts++;
      const result = await this.#attempt(credentials);
      const log = (outcome?: Outcome, delay?: number) =>
        logAttempt(this.#plan, result, { credentials, counters, startedAt, outcome, delay });
      const { response, failed } = result;
      if (failed === undefined) {
        log();
        if (counters.attempts === 1) this.#plan.settings.budget.refund();
        return { response, attempts: counters.attempts, earlier: this.#earlier, credentials };
      }
      const resolution = this.#resolution(failed);
      if (resolution?.means === 'done' && failed.response !== undefined) {
        log();
        const { attempts } = counters;
        return {
          response: { ...failed.response, text: '' },
          attempts,
          earlier: this.#earlier,
          credentials,
          resolution,
        };
      }
      if (await this.#renew(failed)) continue;
      this.#count(failed);
      const wait = this.#wait(failed);
      const delay = this.#mayRetry(failed, wait) ? wait : undefined;
      log(failed.outcome, delay);
      if (delay === undefined) throw this.#error(failed, resolution, wait);
      this.#earlier = this.#combined(failed.outcome);
      this.#previous = failed;
      await this.#backOff(delay);
    }
  }

  async #attempt(credentials: Record<string, string>) {
    try {
      return await attemptThroughMiddleware(this.#plan, credentials, this.#counters.attempts, {
        requireMaySend: () => {
          // This attempt has sent nothing yet.
          this.#counters.attempts--;
          this.#requireMaySend();
          this.#counters.attempts++;
        },
        headers: () => this.#forProxy(),
      });
    } catch (error) {
      throw isInstance(error, CallAborted) ? this.#aborted(error.reason, error.outcome) : error;
    }
  }

  /** What a proxy cannot know: when the call began, and whom the page shows. */
  #forProxy(): Record<string, string> {
    const { policy, isProxied, user } = this.#plan;
    if (!isProxied) return {};
    const headers: Record<string, string> = {};
    if (user !== undefined) headers[USER_HEADER] = encodeUser(user);
    if (policy.within !== undefined && policy.class !== 'safe') {
      // While nothing has arrived, the time has not begun.
      const gone = this.#counters.delivered === 0 ? 0 : this.#elapsed();
      headers[TIME_LEFT_HEADER] = String(Math.max(0, Math.floor(policy.within - gone)));
    }
    return headers;
  }

  /**
   * What the call rejects with after the caller's code has ended it. An error of this package has an
   * outcome of its own, which must not hide what an earlier attempt may have done.
   */
  #aborted(reason: unknown, outcome: Outcome): CallAborted | CardPlatformError {
    const ended = errorOfAbort(reason, this.#facts(this.#combined(outcome), false));
    const isHidden = !isInstance(ended, CallAborted) && mayHaveActed(this.#earlier);
    return isHidden && this.#previous !== undefined
      ? this.#error(this.#previous, undefined)
      : ended;
  }

  /** Time passes while a request waits: for a token, a middleware, a free connection. */
  #requireMaySend(): void {
    this.#requireInTime();
    this.#requireAwake();
  }

  /** Milliseconds since just before the first attempt. While a machine sleeps, one clock may stand still. */
  #elapsed(): number {
    const { clock } = this.#plan.settings;
    const { elapsed, now } = this.#startedAt;
    return Math.max(clock.elapsed() - elapsed, clock.now() - now);
  }

  #requireInTime(): void {
    this.#counters.elapsed = this.#elapsed();
    const { policy, sendWithin = Number.POSITIVE_INFINITY } = this.#plan;
    const isOver = this.#counters.elapsed > sendWithin;
    if (!isOver && isInTime(policy, this.#counters)) return;
    if (this.#previous !== undefined) throw this.#error(this.#previous, undefined);
    if (!isOver) return;
    const message = `the time that the page had for this request, ${sendWithin} ms, was over before it was sent.`;
    throw new TimeoutError('connect', sendWithin, {
      ...this.#facts(this.#earlier, true),
      message,
    });
  }

  /**
   * Once its time is over, a journal may say of a request that it will never be executed: that of this
   * client, or of a page in front of this server. Nor may one be late that must come soon, such as a freeze. While
   * a machine sleeps, the clock of the deadline may stand still.
   */
  #requireAwake(): void {
    const { deadline, settings, hasEntry, policy } = this.#plan;
    const { totalTimeout } = deadline;
    const mustBeSoon = policy.within !== undefined && policy.class !== 'safe';
    if (policy.class !== 'never' && !mustBeSoon) return;
    if (settings.clock.now() - this.#startedAt.now <= totalTimeout) return;
    const message = `the clock of this machine went on by more than ${totalTimeout} ms before the request was sent.`;
    throw new TimeoutError(hasEntry ? 'journal' : 'connect', totalTimeout, {
      ...this.#facts(this.#earlier, true),
      message,
    });
  }

  /** Waits, or runs the caller's code, while no request is under way. Time may run out meanwhile. */
  async #betweenAttempts<T>(
    phase: 'credentials' | 'journal' | 'backoff',
    work: Work<T>,
  ): Promise<T> {
    const { deadline } = this.#plan;
    try {
      return await deadline.run(deadline.remaining, work);
    } catch (error) {
      if (!isInstance(error, CallInterrupted)) throw this.#aborted(error, 'not_sent');
      if (error.kind === 'aborted') throw this.#aborted(error.reason, 'not_sent');
      throw new TimeoutError(phase, Number(error.reason), this.#facts(this.#earlier, true));
    }
  }

  /** The credential headers of the next attempt. */
  async #credentials(): Promise<Record<string, string>> {
    const headers = this.#plan.credentials.headers();
    return typeof headers === 'function' ? this.#betweenAttempts('credentials', headers) : headers;
  }

  #facts(outcome: Outcome, mayPass: boolean) {
    const { endpoint, policy, hasEntry = false } = this.#plan;
    return {
      ...factsOfCall(endpoint, policy.class, hasEntry),
      outcome,
      attempts: this.#counters.attempts,
      isRetryable: mayPass && isSafeToResend(policy.class, outcome) && !this.#isTooLate(outcome),
    };
  }

  /**
   * Whether the call may have had an effect, and the time in which its endpoint is retried is over: to send
   * it again could undo what somebody has changed since.
   *
   * @param wait - milliseconds that another request would still have to wait
   */
  #isTooLate(outcome: Outcome, wait = 0): boolean {
    const { policy } = this.#plan;
    if (policy.class === 'safe' || !mayHaveActed(outcome)) return false;
    return !isInTime(policy, { ...this.#counters, elapsed: this.#elapsed() }, wait);
  }

  #combined(outcome: Outcome): Outcome {
    return combineOutcomes(this.#earlier, outcome, this.#plan.policy.class);
  }

  #count(failed: FailedAttempt): void {
    if (failed.kind === 'no-connection') this.#counters.connectFailures++;
    else if (failed.outcome !== 'not_sent') this.#counters.delivered++;
    this.#counters.elapsed = this.#elapsed();
  }

  /** The meaning of this refusal, where it is a result or an earlier attempt may have had an effect. */
  #resolution(failed: FailedAttempt): RetryResolution<unknown> | undefined {
    const { resultWhen = {}, retryResolutions } = this.#plan.endpoint;
    const { status = 0, response } = failed;
    // A refusal of the proxy itself says nothing about the service.
    if (failed.isReported === true && failed.outcome === 'not_sent') return undefined;
    // HTML comes from something in front of the service, and a body that broke off may be HTML.
    if (Object.hasOwn(resultWhen, status) && response && !isHtml(response.text)) {
      return { status, means: 'done', result: resultWhen[status] };
    }
    // A proxy's error page proves nothing about the first request.
    if (!mayHaveActed(this.#earlier) || failed.isRefusal !== true) return undefined;
    return retryResolutions?.find(
      ({ status, code }) =>
        status === failed.status && (code === undefined || code === failed.businessCode),
    );
  }

  /**
   * One new token and one more attempt: the service responds with 401 before it acts. A 401 from
   * elsewhere proves nothing, so it is final where a second request could do harm.
   */
  async #renew(failed: FailedAttempt): Promise<boolean> {
    const { credentials, endpoint } = this.#plan;
    // The page of a server in front of the service says nothing about the token.
    const isPage = isHtml(failed.response?.text ?? '');
    const isRefused = failed.status === 401 && failed.outcome === 'rejected' && !isPage;
    if (!isRefused || endpoint.renewsToken === false) return false;
    if (this.#hasRenewed) {
      credentials.renewedIsRejected();
      return false;
    }
    this.#hasRenewed = true;
    this.#earlier = this.#combined(failed.outcome);
    return this.#betweenAttempts('credentials', (onInterrupt) => credentials.renew(onInterrupt));
  }

  /** Milliseconds that a request after this failure waits. */
  #wait({ retryAfterMs = 0 }: FailedAttempt): number {
    const { retry, settings } = this.#plan;
    const retries = this.#counters.connectFailures + this.#counters.delivered;
    return Math.max(retryAfterMs, backoffDelay(retries, retry, settings.random));
  }

  /** Whether another attempt follows after this wait. */
  #mayRetry(failed: FailedAttempt, wait: number): boolean {
    const { policy, retry, settings, deadline, sendWithin = Number.POSITIVE_INFINITY } = this.#plan;
    const retries = this.#counters.connectFailures + this.#counters.delivered;
    if (retries > retry.maxRetries || !canRetry(failed, policy, this.#counters)) return false;
    if ((failed.retryAfterMs ?? 0) > retry.maxRetryAfter) return false;
    if (!isInTime(policy, this.#counters, wait) || wait >= deadline.remaining) return false;
    if (this.#counters.elapsed + wait > sendWithin) return false;
    return settings.budget.spend(failed.timedOut);
  }

  #backOff(delay: number): Promise<void> {
    const { clock } = this.#plan.settings;
    return this.#betweenAttempts('backoff', (onInterrupt) => {
      return new Promise<void>((resolve) => onInterrupt(clock.schedule(resolve, delay, 'wait')));
    });
  }

  /** @param wait - milliseconds that another request would still have to wait */
  #error(
    failed: FailedAttempt,
    resolution: RetryResolution<unknown> | undefined,
    wait = 0,
  ): CardPlatformError {
    const { policy } = this.#plan;
    const outcome = this.#combined(failed.outcome);
    const probably = resolution?.means === 'unknown' ? resolution.probably : failed.probableOutcome;
    return failed.toError({
      ...this.#facts(outcome, false),
      probableOutcome: probableOfCall(this.#earlier, probably, policy.class),
      isRetryable: !this.#isTooLate(outcome, wait) && isRetryable(failed, outcome, policy),
    });
  }
}

/** Sends a call, as often as its retry policy allows, until it has a success response. */
export function sendAttempts(plan: AttemptPlan): Promise<Received> {
  return new Attempts(plan).run();
}
