import { type BrokenRule, brokenRules } from '../../contract/check.js';
import { Field } from '../../contract/field.js';
import type { Schema } from '../../contract/schema.js';

/** The result of reading a response by a schema: the caller's own, or what was observed of a call. */
export type SchemaReading =
  | { means: 'result'; result: unknown }
  | { means: 'invalid'; issues: readonly BrokenRule[]; failure?: unknown };

const unusable = (message: string, failure?: unknown): SchemaReading => ({
  means: 'invalid',
  issues: [{ path: '', message }],
  failure,
});

/** Whether a schema is one of this package, whose messages quote no value. */
const isOurs = (schema: Schema): boolean => Object(schema).field instanceof Field;

function readSchemaResult(result: unknown, schema: Schema): SchemaReading {
  if (typeof result !== 'object' || result === null) {
    return unusable('the schema that the caller passed returned nothing');
  }
  const { issues, value } = result as { issues?: unknown; value?: unknown };
  if (issues === undefined || issues === null) {
    return 'value' in result
      ? { means: 'result', result: value }
      : unusable('the schema that the caller passed returned neither a value nor issues');
  }
  if (!Array.isArray(issues)) {
    return unusable('the schema that the caller passed returned issues that are not an array');
  }
  // The caller's own rules may quote values, so only the paths are reported.
  const broken = brokenRules(issues.filter((issue) => typeof issue === 'object' && issue !== null));
  if (isOurs(schema)) return { means: 'invalid', issues: broken };
  if (broken.length === 0) return unusable('breaks the schema that the caller passed');
  return {
    means: 'invalid',
    issues: broken.map(({ path }) => ({
      path,
      message: 'breaks the schema that the caller passed',
    })),
  };
}

/**
 * Reads data by the caller's schema, which may be anybody's code: it may throw, reject, or return
 * nothing. Returns a promise only if the schema returned one.
 */
export function readBySchema(
  data: unknown,
  schema: Schema,
): SchemaReading | Promise<SchemaReading> {
  const threw = (failure: unknown) => unusable('the schema that the caller passed threw', failure);
  const guarded = (result: unknown) => {
    try {
      return readSchemaResult(result, schema);
    } catch (failure) {
      return threw(failure);
    }
  };
  try {
    const result: unknown = schema['~standard'].validate(data);
    return isThenable(result) ? Promise.resolve(result).then(guarded, threw) : guarded(result);
  } catch (failure) {
    return threw(failure);
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
