import type { Endpoint } from '../contract/endpoint.js';
import { loadedPipe, loadPipeFor } from './load-pipe.js';
import type { Delivered } from './pipe.js';
import { PlatformPromise } from './response/platform-promise.js';
import { type CheckedCall, checkCall } from './settings/check-call.js';
import type { RequestOptions, SchemaOption } from './settings/options.js';
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

function deliver(check: () => CheckedCall): Promise<Delivered> {
  try {
    const checked = check();
    // Without a wait where the pipe is loaded: each promise between costs time in each call.
    const pipe = loadedPipe();
    return pipe === undefined
      ? loadPipeFor(checked).then((loaded) => loaded(checked))
      : pipe(checked);
  } catch (error) {
    return Promise.reject(error);
  }
}

function dispatch<Output>(check: () => CheckedCall): PlatformPromise<Output> {
  return new PlatformPromise<Output>(deliver(check));
}

/**
 * Makes what sends the calls of a client. A call copies its input and checks its options at once, so
 * that nothing that the caller changes afterwards is sent. Everything else is in `pipe.ts`, which is
 * loaded with the first call; once it is loaded, a call goes through it without waiting.
 */
export function createSend(settings: Settings): Send {
  return <Output>(endpoint: Endpoint, input: unknown, options: RequestOptions = {}) =>
    dispatch<Output>(() => checkCall(settings, endpoint, input, options));
}

/** The same for a request outside the table of endpoints. */
export function sendRaw<Output>(
  settings: Settings,
  method: Method,
  path: string,
  request: RawRequest<Output>,
): PlatformPromise<Output> {
  return dispatch<Output>(() => {
    const { endpoint, input, options } = declareRawRequest(method, path, request);
    return checkCall(settings, endpoint, input, options);
  });
}
