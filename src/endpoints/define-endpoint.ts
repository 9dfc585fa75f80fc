import type { Endpoint, ResponseKind } from '../contract/endpoint.js';
import type { RetryClass } from '../contract/retry-policy.js';
import type { Schema } from '../contract/schema.js';
import { declareCustomEndpoint } from '../transport/declare/custom-endpoint.js';
import type { CustomEndpoint, CustomInput, CustomResult, SentField } from './custom-types.js';

/**
 * Declares an endpoint that this package does not have. `call` sends it with the same checks,
 * credentials, retries, deadlines and errors as every other endpoint.
 *
 * The declaration is read and checked once. An input is copied as JSON and checked by `input`; the
 * output of the schema is sent. An input field that has no place in path, query, headers or body is
 * refused.
 *
 * @param declaration - `id`, `method`, `path` and `retry` are required
 * @returns a frozen endpoint for `call`, typed by its schemas
 * @throws ConfigurationError that says which option cannot work
 * @example
 * ```ts
 * import { call, createClient, defineEndpoint } from 'card-platform-sdk/endpoints';
 * import * as z from 'zod/mini';
 *
 * const downloadStatement = defineEndpoint({
 *   id: 'statements.download',
 *   method: 'GET',
 *   path: '/v1/statements/{month}',
 *   retry: 'safe',
 *   input: z.strictObject({ month: z.string(), format: z.enum(['pdf', 'csv']) }),
 *   query: ['format'],
 *   response: 'bytes',
 * });
 *
 * const client = createClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 *   accessToken: 'the token of a session',
 * });
 * const pdf = await call(client, downloadStatement, { month: '2026-01', format: 'pdf' });
 * console.log(pdf.byteLength);
 * ```
 */
// @__NO_SIDE_EFFECTS__
export function defineEndpoint<
  const InputSchema extends Schema | undefined = undefined,
  const OutputSchema extends Schema | undefined = undefined,
  const Kind extends ResponseKind = 'json',
  const Class extends RetryClass = RetryClass,
  const Detail extends SentField<InputSchema> = SentField<InputSchema>,
>(
  declaration: CustomEndpoint<InputSchema, OutputSchema, Kind, Class, Detail>,
): Endpoint<CustomInput<InputSchema>, CustomResult<OutputSchema, Kind>, Class> {
  // The types of a declaration say what its schemas accept and return.
  return declareCustomEndpoint(declaration) as Endpoint<
    CustomInput<InputSchema>,
    CustomResult<OutputSchema, Kind>,
    Class
  >;
}
