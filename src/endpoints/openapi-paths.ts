import type { Endpoint } from '../contract/endpoint.js';
import { isObject } from '../contract/formats/is-object.js';
import type { Schema } from '../contract/schema.js';
import { ConfigurationError } from '../errors/index.js';
import { type OpenApiObject, pathsOf, type ToJsonSchema } from './openapi-operations.js';

type JsonSchemaOf = (options: { target: string }) => OpenApiObject;
type StandardJsonSchema = {
  readonly jsonSchema?: Readonly<Record<'input' | 'output', JsonSchemaOf>> | undefined;
};

/** Uses the Standard JSON Schema of the library; a schema without one has no constraints. */
function byLibrary(schema: Schema, direction: 'input' | 'output'): OpenApiObject {
  const standard: Schema['~standard'] & StandardJsonSchema = schema['~standard'];
  const { jsonSchema } = standard;
  const { $schema: _, ...rest } = jsonSchema?.[direction]({ target: 'draft-2020-12' }) ?? {};
  return rest;
}

/**
 * Returns the OpenAPI 3.1 paths of endpoints that you declared, to merge into a document such as
 * `card-platform-sdk/openapi.json`, which has the security schemes and the error body that they
 * refer to.
 *
 * Zod (not Zod Mini) and other libraries with Standard JSON Schema describe their own schemas.
 * Without that, and for a schema that JSON Schema cannot express, fields have no constraints.
 *
 * @param endpoints - from `defineEndpoint`
 * @param toJsonSchema - converts a schema whose library does not. `direction` is the side of the
 *   schema that goes over the wire: `output` for the input of a call, `input` for a response
 * @throws ConfigurationError when `endpoints` is not an array of declared endpoints, or
 *   `toJsonSchema` is not a function
 * @example
 * ```ts
 * import { defineEndpoint, openApiPaths } from 'card-platform-sdk/endpoints';
 * import * as z from 'zod';
 *
 * const getLimits = defineEndpoint({
 *   id: 'limits.get',
 *   method: 'GET',
 *   path: '/v1/limits',
 *   retry: 'safe',
 *   output: z.object({ daily: z.string() }),
 * });
 * console.log(JSON.stringify(openApiPaths([getLimits])));
 * ```
 */
// @__NO_SIDE_EFFECTS__
export function openApiPaths(
  endpoints: readonly Endpoint[],
  toJsonSchema: ToJsonSchema = byLibrary,
): Record<string, OpenApiObject> {
  if (!Array.isArray(endpoints) || !endpoints.every((one) => isObject(one?.input))) {
    throw new ConfigurationError('endpoints', 'endpoints must be an array of declared endpoints.');
  }
  if (typeof toJsonSchema !== 'function') {
    throw new ConfigurationError('toJsonSchema', 'toJsonSchema must be a function.');
  }
  return pathsOf(endpoints, (schema, direction) => {
    try {
      return toJsonSchema(schema, direction);
    } catch {
      return {};
    }
  });
}
