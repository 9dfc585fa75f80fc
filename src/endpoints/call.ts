import type { Endpoint } from '../contract/endpoint.js';
import { ConfigurationError } from '../errors/index.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import { SEND, type Sender } from '../transport/sender.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';

/**
 * Calls one endpoint: what its method of `CardPlatformClient` does, without the other methods. A
 * bundler leaves out every endpoint that is not named.
 *
 * @param client - made by `createClient`, or a whole `CardPlatformClient`
 * @param endpoint - one of the endpoints that this entry exports
 * @param input - what the endpoint takes; `{}` where it takes nothing
 * @param options - the same as those of the method
 * @throws what the method throws; ConfigurationError for what is no client
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
  // For callers without types: what is no client has no door to the network.
  const send: Sender[typeof SEND] | undefined = Object(client)[SEND];
  if (send === undefined) {
    throw new ConfigurationError('client', 'client must be a client: createClient() makes one.');
  }
  return send(endpoint, input, options);
}
