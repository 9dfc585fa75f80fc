import type { Endpoint } from '../contract/endpoint.js';
import { readAnswer } from './answer.js';
import { type Call, prepareCall } from './call.js';
import { Interruption } from './deadline.js';
import { Veto } from './middleware.js';
import type { RequestOptions, SchemaOption } from './options.js';
import { PlatformPromise } from './platform-promise.js';
import { declareRawRequest, type Method, type RawRequest } from './raw-request.js';
import { type Received, sendAttempts } from './send-attempts.js';
import type { Settings } from './settings.js';

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

async function deliver(call: Call): Promise<Received> {
  try {
    return await sendAttempts(call);
  } catch (error) {
    // An abort rejects with the caller's own reason, a veto with what the middleware threw.
    throw error instanceof Interruption || error instanceof Veto ? error.reason : error;
  } finally {
    call.deadline.release();
  }
}

function dispatch<Output>(prepare: () => Call): PlatformPromise<Output> {
  let call: Call;
  const received = async () => {
    call = prepare();
    return deliver(call);
  };
  return new PlatformPromise(
    received(),
    (one) => readAnswer(call, one) as Output | Promise<Output>,
  );
}

/** The pipe of every call: check -> build -> credentials -> attempts -> judge -> read. */
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
