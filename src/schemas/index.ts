import type { Endpoint } from '../contract/endpoint.js';
import { ENDPOINT_BY_ID, type EndpointId } from '../contract/endpoints.js';
import type { Schema } from '../contract/schema.js';

/** The schemas of one endpoint: Standard Schema v1, to use with any library that takes it. */
export type EndpointSchemas<Input> = {
  /** The input of a call, in the names that callers use. */
  request: Schema<Input>;
  /** The response to each success status, in the names on the wire. */
  responses: Readonly<Record<number, Schema>>;
};

/** The schemas of every endpoint, by its id. */
export type SchemasByEndpoint = {
  readonly [Id in EndpointId]: EndpointSchemas<
    (typeof ENDPOINT_BY_ID)[Id] extends Endpoint<infer Input, infer _> ? Input : never
  >;
};

function schemasOf(endpoint: Endpoint): EndpointSchemas<unknown> {
  const shapes = Object.entries(endpoint.responses);
  const responses = Object.fromEntries(shapes.map(([status, { promise }]) => [status, promise]));
  return { request: endpoint.input, responses };
}

/**
 * The request and response schemas of every endpoint, by endpoint id. A response schema is what the
 * contract promises, and for a preview what was observed, with every field optional. The client
 * accepts more than that: use a response schema to check a mock or a recording, not to read responses.
 *
 * @example
 * ```ts
 * import { schemas } from 'card-platform-sdk/schemas';
 *
 * const result = schemas['wallets.credit.withdraw'].request['~standard'].validate({ amount: '1e3' });
 * ```
 */
export const schemas = Object.fromEntries(
  Object.entries(ENDPOINT_BY_ID).map(([id, endpoint]) => [id, schemasOf(endpoint)]),
) as SchemasByEndpoint;
