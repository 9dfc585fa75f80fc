import { ConfigurationError } from '../../errors/index.js';
import type { Exchange } from '../adapters/http-adapter.js';
import {
  type FailedAttempt,
  failedExchange,
  notModifiedResponse,
  outcomeOfExchange,
  redirectResponse,
  refusedResponse,
  timedOutExchange,
  timedOutInMiddleware,
} from '../outcome/failed-attempt.js';
import { type Clean, isInstance } from '../outcome/network-error.js';
import {
  classOfUnread,
  type ExchangeFacts,
  isRedirect,
  isSuccess,
  NOT_MODIFIED,
  NOT_STARTED,
} from '../outcome/outcome.js';
import { factsOfCall, shownHeaders, shownRequestId } from '../response/error-response.js';
import type { HttpResponse } from '../response/http-response.js';
import { SecretValues } from '../response/redact.js';
import { redactError } from '../response/redact-error.js';
import type { AttemptPlan } from './attempt-plan.js';
import { CallAborted, CallInterrupted } from './deadline.js';
import { type MiddlewareResponse, runMiddleware } from './middleware.js';

/** The result of an attempt: a success response or a failure. */
export type AttemptResult =
  | { response: HttpResponse; failed?: undefined }
  | { response?: undefined; failed: FailedAttempt };

type Headers = Readonly<Record<string, string>>;

/** The values that no error of this call may contain, its credential headers as they were sent included. */
export function secretsOf(plan: AttemptPlan, credentials: Headers): SecretValues {
  const sent = Object.values(credentials);
  return new SecretValues([...sent, ...plan.credentials.secrets(), ...plan.secretInputs()]);
}

/** A failed attempt whose error holds no secret, whoever gets it: the caller, or a middleware. */
function redacted(failed: FailedAttempt, plan: AttemptPlan, credentials: Headers): FailedAttempt {
  const { toError } = failed;
  return {
    ...failed,
    toError: (call) => redactError(toError(call), plan.endpoint, secretsOf(plan, credentials)),
  };
}

function judgeResponse(
  response: HttpResponse,
  facts: ExchangeFacts,
  plan: AttemptPlan,
  credentials: Headers,
): AttemptResult {
  const { status } = response;
  if (isSuccess(status)) return { response };
  if (isRedirect(status)) return { failed: redirectResponse(response, plan.request.url) };
  if (status === NOT_MODIFIED) return { failed: notModifiedResponse(response) };
  const { endpoint, policy, settings } = plan;
  const secrets = secretsOf(plan, credentials);
  const now = settings.clock.now();
  const sent = plan.inputValues();
  return {
    failed: refusedResponse({
      response,
      facts,
      endpoint,
      retryClass: policy.class,
      secrets,
      sent,
      now,
      hasInput: plan.hasInput,
      isProxied: plan.isProxied,
    }),
  };
}

type Started = { exchange?: Exchange; isForeign: boolean };

function judgeFailure(
  failure: unknown,
  { exchange, isForeign }: Started,
  plan: AttemptPlan,
  credentials: Headers,
): { failed: FailedAttempt } {
  const { facts } = exchange ?? { facts: NOT_STARTED };
  const retryClass = classOfUnread(plan.policy.class, plan.isProxied);
  if (isInstance(failure, CallInterrupted)) {
    if (failure.kind === 'timeout') {
      return { failed: timedOutExchange({ facts, retryClass }, Number(failure.reason)) };
    }
    throw new CallAborted(failure.reason, outcomeOfExchange({ facts, retryClass }));
  }
  const clean: Clean = (text, length) =>
    secretsOf(plan, credentials).with(plan.inputValues()).clean(text, length);
  const { baseUrl } = plan;
  return { failed: failedExchange({ facts, failure, baseUrl, retryClass, isForeign, clean }) };
}

/** What depends on the moment in which a request leaves. */
export type Departure = {
  /** Throws what the call rejects with, where it is too late to send. */
  readonly requireMaySend: () => void;
  /** Headers for a proxy. */
  readonly headers: () => Headers;
};

/**
 * Makes one attempt: sends the request, reads the whole response, and judges it.
 *
 * @param headers - without credentials
 * @throws CallAborted when the caller aborted
 */
async function attempt(
  plan: AttemptPlan,
  credentials: Headers,
  headers: Headers,
  departure: Departure,
): Promise<AttemptResult> {
  const started: Started = { isForeign: false };
  let isInterrupted = false;
  let tooLate: { error: unknown } | undefined;
  const { method, url, body } = plan.request;
  const onlyOnce = plan.policy.class === 'never';
  const { response: kind, maxResponseBytes } = plan.endpoint;
  const request = {
    method,
    url,
    headers: { ...headers, ...departure.headers(), ...credentials },
    body,
    onlyOnce,
    asBytes: kind === 'bytes',
    maxResponseBytes,
    sendsCookies: plan.isProxied,
    requireMaySend: () => {
      try {
        departure.requireMaySend();
      } catch (error) {
        tooLate = { error };
        throw error;
      }
    },
  };
  const send = async (): Promise<[HttpResponse, Exchange['facts']]> => {
    const adapter = plan.settings.adapter();
    started.isForeign = adapter.isForeign;
    const exchange = adapter.start(request);
    started.exchange = exchange;
    // A caller's fetch may abort the call before it returns, when there is nothing yet to cancel.
    if (isInterrupted) exchange.cancel();
    return [await exchange.response, exchange.facts];
  };
  try {
    const [response, facts] = await plan.deadline.run(plan.timeout, (onInterrupt) => {
      onInterrupt(() => {
        isInterrupted = true;
        started.exchange?.cancel();
      });
      return send();
    });
    const judged = judgeResponse(response, facts, plan, credentials);
    const { failed } = judged;
    return failed === undefined ? judged : { failed: redacted(failed, plan, credentials) };
  } catch (failure) {
    if (tooLate !== undefined) throw tooLate.error;
    const { failed } = judgeFailure(failure, started, plan, credentials);
    return { failed: redacted(failed, plan, credentials) };
  }
}

/** How many turns of the microtask queue each middleware gets to finish, if it waits for nothing. */
const TURNS_PER_LAYER = 8;

function shownResponse(
  { response, failed }: AttemptResult,
  { endpoint, policy, hasEntry = false }: AttemptPlan,
  secrets: SecretValues,
  attempts: number,
  durationMs: number,
): MiddlewareResponse {
  const show = ({ status, headers }: HttpResponse) => ({
    status,
    headers: new Headers(shownHeaders(headers, secrets)),
    requestId: shownRequestId(headers, secrets),
    durationMs,
  });
  if (failed === undefined) return show(response);
  if (failed.response !== undefined) return show(failed.response);
  const { outcome } = failed;
  const before = factsOfCall(endpoint, policy.class, hasEntry);
  throw failed.toError({ ...before, outcome, attempts, isRetryable: false });
}

/** The result when middleware kept the request from leaving. */
function resultWhenNotSent(failure: unknown): AttemptResult {
  if (!isInstance(failure, CallInterrupted)) throw new CallAborted(failure, 'not_sent');
  if (failure.kind === 'aborted') throw new CallAborted(failure.reason, 'not_sent');
  return { failed: timedOutInMiddleware(Number(failure.reason)) };
}

/** Lets middleware that waits for nothing finish before the call returns. */
async function letFinish(result: Promise<AttemptResult>, layers: number): Promise<void> {
  await result.catch(() => {});
  for (let turn = 0; turn < TURNS_PER_LAYER * layers; turn++) await undefined;
}

/**
 * Makes one attempt inside the middleware of the call. Once the request has left,
 * middleware can neither change the result nor delay it.
 *
 * @throws CallAborted when the caller aborted, or a middleware kept the request from leaving
 */
export async function attemptThroughMiddleware(
  plan: AttemptPlan,
  credentials: Headers,
  attempts: number,
  departure: Departure,
): Promise<AttemptResult> {
  const { endpoint, request, middleware, deadline } = plan;
  const { clock } = plan.settings;
  if (middleware.length === 0) return attempt(plan, credentials, request.headers, departure);
  let sent: Promise<AttemptResult> | undefined;
  let announce!: () => void;
  const requestHasLeft = new Promise<void>((resolve) => {
    announce = resolve;
  });
  let isOver = false;
  const deliver = async (headers: Headers) => {
    if (isOver)
      throw new ConfigurationError(
        'middleware',
        'next() was called too late: the attempt was over.',
      );
    const startedAt = clock.elapsed();
    // A middleware may have waited for longer than the request may wait.
    departure.requireMaySend();
    const started = attempt(plan, credentials, headers, departure);
    sent = started;
    announce();
    const result = await started.catch((error) => {
      throw isInstance(error, CallAborted) ? error.reason : error;
    });
    const secrets = secretsOf(plan, credentials);
    return shownResponse(result, plan, secrets, attempts, clock.elapsed() - startedAt);
  };
  const shown = {
    operation: endpoint.id,
    method: endpoint.method,
    route: endpoint.path,
    attempt: attempts,
    headers: request.headers,
  };
  const failure = await deadline
    .run(deadline.remaining, () => {
      const run = runMiddleware(middleware, shown, deliver);
      const over = requestHasLeft.then(() =>
        letFinish(sent as Promise<AttemptResult>, middleware.length),
      );
      return Promise.race([run, over]);
    })
    .catch((error: unknown) => error);
  isOver = true;
  return sent ?? resultWhenNotSent(failure);
}
