import type { JsonSchema, Rule } from './rule.js';
import type { ObservedSchema } from './schema.js';

function jsonOf({ json, pattern, fields, item }: Rule): Record<string, unknown> {
  if (pattern !== undefined) return { type: 'string', pattern: pattern.source };
  if (item !== undefined) return { type: 'array', items: jsonOf(item) };
  if (fields === undefined) return { ...json };
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, one]) => [name, jsonOf(one)])),
    ...(required.length > 0 && { required }),
  };
}

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
  const { rule, added = {} }: Partial<ObservedSchema<unknown>> = schema;
  if (rule === undefined) return {};
  const json: JsonSchema = jsonOf(rule);
  const constants = Object.entries(added).map(([name, value]) => [name, { default: value }]);
  if (constants.length === 0) return json;
  return {
    ...json,
    properties: { ...Object.fromEntries(constants), ...Object(json['properties']) },
    required: [...Object(json['required'] ?? []), ...Object.keys(added)],
  };
}
