import { openAdapter } from '../adapters/choose-adapter.js';
import type { Exchange } from '../adapters/http-adapter.js';
import {
  type FailedAttempt,
  failedExchange,
  outcomeOfExchange,
  redirectResponse,
  refusedResponse,
  timedOutExchange,
} from '../outcome/failed-attempt.js';
import { type Clean, isInstance } from '../outcome/network-error.js';
import { type ExchangeFacts, isRedirect, isSuccess, NOT_STARTED } from '../outcome/outcome.js';
import type { HttpResponse } from '../response/http-response.js';
import { SecretValues } from '../response/redact.js';
import { concealError } from '../response/redact-error.js';
import { Aborted } from './aborted.js';
import type { AttemptPlan } from './attempt-plan.js';
import { Interruption } from './deadline.js';

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
function concealed(failed: FailedAttempt, plan: AttemptPlan, credentials: Headers): FailedAttempt {
  const { toError } = failed;
  return {
    ...failed,
    toError: (call) => concealError(toError(call), plan.endpoint, secretsOf(plan, credentials)),
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
  const retryClass = plan.policy.class;
  if (isInstance(failure, Interruption)) {
    if (failure.kind === 'timeout') {
      return { failed: timedOutExchange({ facts, retryClass }, Number(failure.reason)) };
    }
    throw new Aborted(failure.reason, outcomeOfExchange({ facts, retryClass }));
  }
  const clean: Clean = (text, length) =>
    secretsOf(plan, credentials).with(plan.inputValues()).clean(text, length);
  return { failed: failedExchange({ facts, failure, retryClass, isForeign, clean }) };
}

/**
 * Makes one attempt: sends the request, reads the whole response, and judges it.
 *
 * @param headers - without credentials
 * @throws Aborted when the caller aborted
 */
export async function attempt(
  plan: AttemptPlan,
  credentials: Headers,
  headers: Headers,
): Promise<AttemptResult> {
  const started: Started = { isForeign: false };
  let isInterrupted = false;
  const { method, url, body } = plan.request;
  const onlyOnce = plan.policy.class === 'never';
  const { response: kind, maxResponseBytes } = plan.endpoint;
  const request = {
    method,
    url,
    headers: { ...headers, ...credentials },
    body,
    onlyOnce,
    asBytes: kind === 'bytes',
    maxResponseBytes,
    sendsCookies: plan.isProxied,
  };
  const send = async (): Promise<[HttpResponse, Exchange['facts']]> => {
    const adapter = openAdapter(plan.settings.adapter);
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
    return failed === undefined ? judged : { failed: concealed(failed, plan, credentials) };
  } catch (failure) {
    const { failed } = judgeFailure(failure, started, plan, credentials);
    return { failed: concealed(failed, plan, credentials) };
  }
}
