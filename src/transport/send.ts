import type { Endpoint } from '../contract/endpoint.js';
import { TimeoutError } from '../errors/index.js';
import { Aborted } from './attempts/aborted.js';
import { secretsOf } from './attempts/attempt.js';
import { Interruption } from './attempts/deadline.js';
import { type Received, sendAttempts } from './attempts/send-attempts.js';
import { recordOutcome } from './outcome/outcome-of.js';
import { readResult } from './outcome/read-result.js';
import { PlatformPromise } from './response/platform-promise.js';
import type { RequestOptions, SchemaOption } from './settings/options.js';
import { type Call, prepareCall } from './settings/prepare-call.js';
import { declareRawRequest, type Method, type RawRequest } from './settings/raw-request.js';
import type { Settings } from './settings/settings.js';

/** Sends a call to an endpoint. Every resource is made of this. */
export type Send = {
  <Input, Output>(
    endpoint: Endpoint<Input, Output>,
    input: Input,
    options: RequestOptions | undefined,
  ): PlatformPromise<Output>;
  <Input, Output>(
    endpoint: Endpoint<Input>,
    input: Input,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
};

/** An abort, or what the caller's own code threw, rejects as it is; `outcomeOf` knows its outcome. */
function reject(error: unknown): never {
  if (!(error instanceof Aborted)) throw error;
  recordOutcome(error.reason, error.outcome);
  throw error.reason;
}

async function deliver(call: Call): Promise<Received> {
  try {
    return await sendAttempts(call.plan);
  } catch (error) {
    return reject(error);
  } finally {
    call.plan.deadline.release();
  }
}

function read({ plan, response: settings, schema }: Call, received: Received): unknown {
  if (received.replayed !== undefined) return received.replayed.result;
  const { endpoint, policy, deadline } = plan;
  const { response, attempts, credentials } = received;
  const facts = {
    operation: endpoint.id,
    outcome: 'executed',
    attempts,
    isRead: policy.class === 'R',
    isRetryable: false,
  } as const;
  const result = readResult(
    {
      endpoint,
      response,
      attempts,
      retryClass: policy.class,
      secrets: () => secretsOf(plan, credentials),
      sent: () => plan.inputValues(),
      isStrict: settings.isStrict,
      onDrift: (issues) => settings.drift.report(endpoint.id, issues),
    },
    schema,
  );
  if (!(result instanceof Promise)) return result;
  // Only the caller's schema is slow. A promise that is awaited late still gets its whole time.
  const limit = deadline.remaining > 0 ? deadline.remaining : deadline.totalTimeout;
  return deadline
    .runBeyondTotal(limit, () => result)
    .catch((error) => {
      if (!(error instanceof Interruption)) throw error;
      if (error.kind === 'aborted') return reject(new Aborted(error.reason, facts.outcome));
      throw new TimeoutError('schema', Number(error.reason), facts);
    });
}

function dispatch<Output>(prepare: () => Call): PlatformPromise<Output> {
  let call: Call;
  const received = async () => {
    call = prepare();
    return deliver(call);
  };
  return new PlatformPromise(
    received(),
    (one) => read(call, one as Received) as Output | Promise<Output>,
  );
}

/** The pipe of every call: check -> build -> credentials -> attempts -> adapter -> judge -> read. */
export function createSend(settings: Settings): Send {
  return <Output>(endpoint: Endpoint, input: unknown, options: RequestOptions = {}) =>
    dispatch<Output>(() => prepareCall(settings, endpoint, input, options));
}

/** The same pipe for a request outside the table of endpoints. */
export function sendRaw<Output>(
  settings: Settings,
  method: Method,
  path: string,
  request: RawRequest<Output>,
): PlatformPromise<Output> {
  return dispatch<Output>(() => {
    const { endpoint, input, options } = declareRawRequest(method, path, request);
    return prepareCall(settings, endpoint, input, options);
  });
}
