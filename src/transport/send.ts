import type { Endpoint } from '../contract/endpoint.js';
import { readAnswer } from './answer.js';
import { type Call, prepareCall } from './call.js';
import { Interruption } from './deadline.js';
import { Veto } from './middleware.js';
import type { RequestOptions, SchemaOption } from './options.js';
import { PlatformPromise } from './platform-promise.js';
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

/** The pipe of every call: check -> build -> credentials -> attempts -> judge -> read. */
export function createSend(settings: Settings): Send {
  return <Output>(endpoint: Endpoint, input: unknown, options: RequestOptions = {}) => {
    let call: Call;
    const prepared = async () => {
      call = prepareCall(settings, endpoint, input, options);
      return deliver(call);
    };
    return new PlatformPromise(prepared(), (received) => {
      return readAnswer(call, received) as Output | Promise<Output>;
    });
  };
}
