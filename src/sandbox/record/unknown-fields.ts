import { isObject } from '../../contract/formats/is-object.js';
import type { Redaction } from './redact-value.js';
import { fieldsOf, itemOf, type Zod } from './schema-parts.js';

const DEEPEST = 32;

type Documented = Zod | ReadonlyMap<string, Zod>;

/** The fields of a documented object; `undefined` where any field is allowed. */
function documentedFields(schema: Documented): ReadonlyMap<string, Zod> | undefined {
  if (schema instanceof Map) return schema;
  const fields = fieldsOf(schema as Zod);
  if (fields === undefined || Object.keys(fields).length === 0) return undefined;
  return new Map(Object.entries(fields));
}

/**
 * Returns the paths of the fields that the contract does not have, with `*` for positions in lists.
 * An object of which the contract shows no field may have any.
 */
export function unknownFields(
  value: unknown,
  schema: Documented | undefined,
  redaction: Redaction,
  depth = 0,
): string[] {
  if (schema === undefined || depth > DEEPEST) return [];
  const below = (name: string, paths: readonly string[]) =>
    paths.map((path) => (path === '' ? name : `${name}.${path}`));
  if (Array.isArray(value)) {
    const item = schema instanceof Map ? undefined : itemOf(schema as Zod);
    const inItems = value.flatMap((one) => unknownFields(one, item, redaction, depth + 1));
    return below('*', [...new Set(inItems)]);
  }
  const fields = isObject(value) ? documentedFields(schema) : undefined;
  if (fields === undefined || !isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const field = fields.get(name);
    if (field === undefined) return [redaction.name(name)];
    return below(name, unknownFields(one, field, redaction, depth + 1));
  });
}
