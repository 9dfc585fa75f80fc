import { check } from '../../contract/check.js';
import type { Fields } from '../../contract/field.js';

/** A field of a request that is not valid. */
export type BrokenField = { field: string; message: string };

/** Returns the fields of a request that break their rules, each once. */
export function brokenFields(
  fields: Fields,
  input: Readonly<Record<string, unknown>>,
): BrokenField[] {
  return Object.entries(fields).flatMap(([field, schema]) => {
    const value = input[field];
    const [broken] = check(schema, value);
    if (broken === undefined) return [];
    const isAbsent = value === undefined || value === null;
    return [{ field, message: isAbsent ? 'is required' : broken.message }];
  });
}
