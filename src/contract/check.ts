import type { Schema, SchemaIssue } from './schema.js';

/** A broken rule and the path of its field. Never holds a value. */
export type BrokenRule = { path: string; message: string };

const MAX_KEY_LENGTH = 60;

// A key may be any text that a caller or a server chose, so make it safe for a message.
function printable(path: string): string {
  return path.slice(0, MAX_KEY_LENGTH * 4).replace(/[^\x20-\x7e]/g, '?');
}

/** The path of a value for a message: short and printable, whatever its keys are. */
export function shownPath(keys: readonly string[]): string {
  return printable(keys.map((key) => key.slice(0, MAX_KEY_LENGTH)).join('.'));
}

const NONE: readonly SchemaIssue[] = [];
const MAX_ISSUES = 50;

type PathSegment = PropertyKey | { readonly key: PropertyKey };

function keyOf(segment: PathSegment): string {
  return String(typeof segment === 'object' ? segment.key : segment);
}

function rulesOf(issue: SchemaIssue): BrokenRule[] {
  const path = (issue.path ?? []).map(keyOf);
  // zod reports all unknown keys of an object as one issue at the object.
  const unknownKeys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys : undefined;
  const paths = unknownKeys?.map((key) => [...path, String(key)]) ?? [path];
  return paths.map((one) => ({ path: shownPath(one), message: issue.message }));
}

/** Converts the issues of any Standard Schema to broken rules, at most 50. */
export function brokenRules(issues: readonly SchemaIssue[]): readonly BrokenRule[] {
  return issues.flatMap(rulesOf).slice(0, MAX_ISSUES);
}

/** Checks a value against a schema of the contract. Returns the issues as the schema reports them. */
export function issuesOf(schema: Schema, value: unknown): readonly SchemaIssue[] {
  const result = schema['~standard'].validate(value);
  if (result instanceof Promise) {
    // The schema library tries again in this way after a rule has thrown. Unhandled, it would end the process.
    result.catch(() => undefined);
    throw new TypeError('a schema of the contract is never async');
  }
  return result.issues ?? NONE;
}

/**
 * Checks a value against a schema of the contract. Returns the broken rules, at most 50, each with
 * the path of its field.
 */
export function check(schema: Schema, value: unknown): readonly BrokenRule[] {
  return brokenRules(issuesOf(schema, value));
}
