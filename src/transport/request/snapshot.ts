import type { ValidationIssue } from '../../errors/index.js';

const DEEPEST = 32;
const MOST_VALUES = 10_000;
const UNSAFE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

type Walk = { issues: ValidationIssue[]; ancestors: unknown[]; values: number };

/** Whether UTF-16 text has no lone surrogate: one could not be sent as UTF-8. */
function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}

function refuse(walk: Walk, path: string, message: string): undefined {
  walk.issues.push({ path, message });
  return undefined;
}

function copyList(list: readonly unknown[], path: string, walk: Walk): unknown[] {
  const copy: unknown[] = [];
  for (let i = 0; i < list.length; i++) copy.push(copyValue(list[i], `${path}.${i}`, walk));
  return copy;
}

function copyObject(object: object, path: string, walk: Walk): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (UNSAFE_KEYS.has(key)) {
      refuse(walk, at, 'is not allowed as a key');
      continue;
    }
    const value = copyValue((object as Record<string, unknown>)[key], at, walk);
    if (value !== undefined) copy[key] = value;
  }
  return copy;
}

function copyValue(value: unknown, path: string, walk: Walk): unknown {
  if (++walk.values > MOST_VALUES) return refuse(walk, path, 'holds too many values');
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    return isWellFormed(value) ? value : refuse(walk, path, 'must be well-formed Unicode');
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : refuse(walk, path, 'must be a finite number');
  }
  if (typeof value !== 'object') return refuse(walk, path, `must be JSON, not a ${typeof value}`);
  if (walk.ancestors.includes(value)) return refuse(walk, path, 'must not contain itself');
  if (walk.ancestors.length >= DEEPEST) {
    return refuse(walk, path, `must not be nested more than ${DEEPEST} deep`);
  }
  walk.ancestors.push(value);
  const copy = Array.isArray(value) ? copyList(value, path, walk) : copyObject(value, path, walk);
  walk.ancestors.pop();
  return copy;
}

/** A copy of an input, and what cannot be copied. */
export type Snapshot = { readonly copy: unknown; readonly issues: readonly ValidationIssue[] };

/**
 * Copies an input field by field, reading each own field once, so that the checked values are the ones
 * sent: a getter or a Proxy could return one value to the check and another to the request. Inherited
 * fields, `toJSON` and `undefined` do not count.
 */
export function snapshot(input: unknown): Snapshot {
  const walk: Walk = { issues: [], ancestors: [], values: 0 };
  try {
    return { copy: copyValue(input, '', walk), issues: walk.issues };
  } catch {
    return { copy: undefined, issues: [{ path: '', message: 'cannot be read' }] };
  }
}
