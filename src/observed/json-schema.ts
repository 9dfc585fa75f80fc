import * as z from 'zod/mini';
import { Field } from '../contract/field.js';
import type { ObservedSchema } from '../contract/observed/schema.js';

/**
 * Returns the JSON Schema of a schema of an observed endpoint, for `openApiPaths`. A response field
 * that is not required was seen, but nobody promises it.
 *
 * @experimental
 * @param schema - a schema of an observed endpoint. For any other, the result is `{}`
 * @example
 * ```ts
 * import { openApiPaths } from 'card-platform-sdk/endpoints';
 * import { observedEndpoints, observedJsonSchema } from 'card-platform-sdk/observed';
 *
 * const paths = openApiPaths(Object.values(observedEndpoints), observedJsonSchema);
 * console.log(Object.keys(paths).length); // 35
 * ```
 */
export function observedJsonSchema(schema: object): Record<string, unknown> {
  const { field }: Partial<ObservedSchema<unknown>> = schema;
  if (!(field instanceof Field)) return {};
  const { $schema: _, ...json } = z.toJSONSchema(field.zod, {
    unrepresentable: 'any',
    io: 'input',
  });
  return json;
}
