import type { Endpoint } from '../contract/endpoint.js';
import { isApiError, TimeoutError } from '../errors/index.js';
import { secretsOf } from './attempts/attempt.js';
import { CallAborted, CallInterrupted } from './attempts/deadline.js';
import { type Received, sendAttempts } from './attempts/send-attempts.js';
import { runJournaled } from './journaled-call.js';
import { recordOutcome } from './outcome/outcome-of.js';
import { readResult } from './outcome/read-result.js';
import { type Call, prepareCall } from './prepare-call.js';
import type { InputCopy } from './request/copy-input.js';
import { validateInput } from './request/validate.js';
import type { CallResponse } from './response/platform-promise.js';
import { redactError, rememberResult } from './response/redact-error.js';
import type { CheckedCall } from './settings/check-call.js';
import { JOURNAL } from './settings/journal-option.js';
import type { Settings } from './settings/settings.js';

/** Throws the caller's own reason or error unchanged, and records its outcome for `outcomeOf`. */
function rethrow(error: unknown): never {
  if (!(error instanceof CallAborted)) throw error;
  recordOutcome(error.reason, error.outcome);
  throw error.reason;
}

function read({ plan, input, response: settings, schema }: Call, received: Received): unknown {
  if (received.resolution !== undefined) return received.resolution.result;
  const { endpoint, policy, deadline } = plan;
  const { response, attempts, credentials } = received;
  const { value, facts } = readResult(
    {
      endpoint,
      response,
      input,
      attempts,
      retryClass: policy.class,
      hasEntry: plan.hasEntry === true,
      secrets: () => secretsOf(plan, credentials),
      sent: () => plan.inputValues(),
      hasInput: plan.hasInput,
      isProxied: plan.isProxied,
      isStrict: settings.isStrict,
      onDrift: settings.drift?.reporterFor(endpoint.id),
    },
    schema,
  );
  if (!(value instanceof Promise)) return value;
  // Only the caller's schema is async. If the call is awaited only after its deadline, the schema gets the
  // whole time again.
  const limit = deadline.remaining > 0 ? deadline.remaining : deadline.totalTimeout;
  return deadline
    .runBeyondTotal(limit, () => value)
    .catch((error) => {
      if (!(error instanceof CallInterrupted)) throw error;
      if (error.kind === 'aborted') return rethrow(new CallAborted(error.reason, facts.outcome));
      throw new TimeoutError('schema', Number(error.reason), facts);
    });
}

async function send(call: Call, { journal, request }: Settings): Promise<CallResponse> {
  const { plan } = call;
  const see = (headers: Pick<Headers, 'get'>) =>
    journal?.[JOURNAL].sees(headers, request.isProxied);
  const received = await sendAttempts(plan).catch((error: unknown) => {
    // Of these requests alone, only the service's own words are a refusal.
    if (plan.policy.class === 'never' && isApiError(error) && error.outcome === 'rejected') {
      see(new Headers(error.headers));
    }
    throw error;
  });
  const secrets = () => secretsOf(plan, received.credentials);
  const fail = (error: unknown): never => {
    throw redactError(error, plan.endpoint, secrets());
  };
  const keep = (result: unknown) => {
    see(received.response.headers);
    if (plan.policy.class === 'safe') rememberResult(result, plan.endpoint, secrets);
    return result;
  };
  return {
    response: received.response,
    read: () => {
      try {
        const result = read(call, received);
        return result instanceof Promise ? result.then(keep, fail) : keep(result);
      } catch (error) {
        return fail(error);
      }
    },
  };
}

/**
 * Runs a call: validate -> build -> credentials -> attempts -> adapter -> judge -> read. Its
 * steps are in the folders of the same order.
 */
export async function runCall(checked: CheckedCall): Promise<CallResponse> {
  let plan: Call['plan'] | undefined;
  try {
    const call = prepareCall(checked);
    plan = call.plan;
    const { settings } = checked;
    const { journal } = settings;
    return journal !== undefined && call.plan.policy.class === 'never'
      ? await runJournaled(journal, checked, call, () => send(call, settings))
      : await send(call, settings);
  } catch (error) {
    // A value of the caller's own code is thrown as it is.
    if (plan === undefined || error instanceof CallAborted) return rethrow(error);
    throw redactError(error, plan.endpoint, secretsOf(plan, {}));
  } finally {
    checked.options.deadline.release();
  }
}

/**
 * Checks the copy of an input exactly as a call would, and sends nothing.
 *
 * @throws RequestValidationError
 */
export function checkInput({ request }: Settings, endpoint: Endpoint, input: InputCopy): void {
  validateInput(endpoint, input, request.additions);
}
