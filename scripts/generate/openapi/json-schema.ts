import { toJSONSchema, type z } from 'zod/mini';
import type { Field } from '../../../src/contract/field.js';
import type { Schema } from '../../../src/contract/schema.js';
import { FORMATS } from './formats.js';

/** A JSON object. */
export type Json = Record<string, unknown>;

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The message of a rule in code, which JSON Schema cannot express. */
function rulesOf(schema: z.core.$ZodType): string {
  const { checks = [] } = schema._zod.def;
  const rules = checks.map(({ _zod: { def } }) =>
    def.check === 'custom' ? def.error?.(undefined as never) : undefined,
  );
  return [...new Set(rules.filter((text) => typeof text === 'string'))].join('; ');
}

// Syntax that the regular expressions of other languages do not have.
const JAVASCRIPT_ONLY = /\\p\{|\(\?[!=<]/;

/**
 * Drops keywords without information: unknown fields are allowed, and a whole number has no highest
 * value.
 */
function tidy(written: Json): void {
  if (JAVASCRIPT_ONLY.test(String(written['pattern'] ?? ''))) delete written['pattern'];
  if (written['pattern'] === undefined) delete written['pattern'];
  // A text with a form of its own cannot be empty.
  if (written['pattern'] !== undefined && written['minLength'] === 1) delete written['minLength'];
  if (written['properties'] !== undefined) delete written['additionalProperties'];
  if (written['maximum'] === Number.MAX_SAFE_INTEGER) delete written['maximum'];
  if (Array.isArray(written['required']) && written['required'].length === 0) {
    delete written['required'];
  }
  delete written['propertyNames'];
}

/** The client leaves out fields that are null, so no field of a request is. */
function withoutNull(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(withoutNull);
  if (!isJson(written)) return written;
  const { anyOf } = written;
  const alternatives = Array.isArray(anyOf) ? anyOf.filter(({ type }) => type !== 'null') : [];
  if (alternatives.length === 1) {
    const { anyOf: _, ...rest } = written;
    return withoutNull({ ...rest, ...alternatives[0] });
  }
  const inner = Object.entries(written).map(([name, value]) => [name, withoutNull(value)]);
  return Object.fromEntries(inner);
}

/** Converts a schema of the contract to JSON Schema. `output` is the side of a request. */
export function jsonSchema(schema: Schema, direction: 'input' | 'output'): Json {
  const formats = new Map([...FORMATS].map(([field, format]) => [field.zod, format] as const));
  const { $schema, ...rest } = toJSONSchema((schema as Field).zod, {
    unrepresentable: 'any',
    io: 'input',
    override({ zodSchema, jsonSchema: written }) {
      const { isWhole = false, ...format } =
        [...formats].find(([zod]) => zod === zodSchema)?.[1] ?? {};
      const rules = isWhole ? '' : rulesOf(zodSchema);
      if (rules !== '') written.description = `It ${rules}.`;
      Object.assign(written, format);
      tidy(written as Json);
    },
  });
  return (direction === 'output' ? withoutNull(rest) : rest) as Json;
}
