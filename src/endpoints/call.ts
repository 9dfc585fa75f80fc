import type { Endpoint } from '../contract/endpoint.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import { type Sender, sendOf } from '../transport/send.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';

/**
 * Calls one endpoint, as its method of `CardPlatformClient` does, without the other methods. A
 * bundler leaves out every endpoint that you do not import.
 *
 * @param client - from `createClient`, or a `CardPlatformClient`
 * @param endpoint - one of the endpoints that this entry exports
 * @param input - the input of the endpoint; `{}` if it has none
 * @param options - the options of the method
 * @throws the errors of the method; ConfigurationError when `client` is not a client
 * @example
 * ```ts
 * import { call, cardStatus, createClient } from 'card-platform-sdk/endpoints';
 *
 * const client = createClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 *   accessToken: 'the token of a session',
 * });
 * const { status, panLast4 } = await call(client, cardStatus, {});
 * console.log(status, panLast4);
 * ```
 */
export function call<Input, Output>(
  client: Sender,
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options?: RequestOptions,
): PlatformPromise<Output>;
export function call<Input, Output>(
  client: Sender,
  endpoint: Endpoint<Input>,
  input: Input,
  options: RequestOptions & SchemaOption<Output>,
): PlatformPromise<Output>;
export function call<Input, Output>(
  client: Sender,
  endpoint: Endpoint<Input, Output>,
  input: Input,
  options?: RequestOptions,
): PlatformPromise<Output> {
  return sendOf(client)(endpoint, input, options);
}
