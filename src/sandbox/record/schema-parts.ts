import type * as z from 'zod/mini';
import { Field } from '../../contract/field.js';
import type { Schema } from '../../contract/schema.js';

/** A schema of the contract, as zod built it. */
export type Zod = z.core.$ZodType;

/** Returns the zod schema of a declaration. A caller's schema has none. */
export function zodOf(schema: Schema | undefined): Zod | undefined {
  return schema instanceof Field ? schema.zod : undefined;
}

/** Returns the schema of the value itself, without "may be absent", "may be null" and "may be empty". */
function required(schema: Zod): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [first] = def.type === 'union' ? def.options : [];
  const inner = 'innerType' in def ? def.innerType : first;
  return inner === undefined ? (schema as z.core.$ZodTypes) : required(inner);
}

/** Returns the fields that a schema documents; `undefined` for anything but an object. */
export function fieldsOf(schema: Zod): Readonly<Record<string, Zod>> | undefined {
  const { def } = required(schema)._zod;
  return def.type === 'object' ? def.shape : undefined;
}

/** Returns the schema of the items of a list. */
export function itemOf(schema: Zod): Zod | undefined {
  const { def } = required(schema)._zod;
  return def.type === 'array' ? def.element : undefined;
}

/** Returns the schema of the values of an object with any keys. */
export function valueSchemaOf(schema: Zod): Zod | undefined {
  const { def } = required(schema)._zod;
  return def.type === 'record' ? def.valueType : undefined;
}

/** Returns the values of a closed list. */
function valuesOf(schema: Zod): readonly string[] {
  const { def } = required(schema)._zod;
  return def.type === 'enum' ? Object.values(def.entries).map(String) : [];
}

/** The names of all fields in a schema and the values of its closed lists, at any depth. */
export function wordsIn(schema: Zod): readonly string[] {
  const item = itemOf(schema) ?? valueSchemaOf(schema);
  if (item !== undefined) return wordsIn(item);
  const fields = Object.entries(fieldsOf(schema) ?? {});
  return [...valuesOf(schema), ...fields.flatMap(([name, one]) => [name, ...wordsIn(one)])];
}
