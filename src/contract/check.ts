import type { Schema, SchemaIssue } from './schema.js';

/** One broken rule: where, and which. Never holds a value. */
export type BrokenRule = { path: string; message: string };

const NONE: readonly BrokenRule[] = [];
const MOST_ISSUES = 50;
const LONGEST_KEY = 60;

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}

// A key may be anything that a caller, or a server, made up: it has to be fit for a message.
function printable(path: string): string {
  return path.replace(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_KEY * 4);
}

function rulesOf(issue: SchemaIssue): BrokenRule[] {
  const path = (issue.path ?? []).map(keyOf);
  // zod reports all unknown keys of an object as one issue at the object.
  const unknownKeys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys : undefined;
  const paths = unknownKeys?.map((key) => [...path, String(key).slice(0, LONGEST_KEY)]) ?? [path];
  return paths.map((one) => ({ path: printable(one.join('.')), message: issue.message }));
}

/** The issues of any Standard Schema, in our form. */
export function brokenRules(issues: readonly SchemaIssue[]): readonly BrokenRule[] {
  return issues.flatMap(rulesOf).slice(0, MOST_ISSUES);
}

/**
 * Checks a value against a schema of the contract. Gives every broken rule with the path of its
 * field; an empty list when all hold.
 */
export function check(schema: Schema, value: unknown): readonly BrokenRule[] {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) throw new TypeError('a schema of the contract is never async');
  return result.issues === undefined ? NONE : brokenRules(result.issues);
}
