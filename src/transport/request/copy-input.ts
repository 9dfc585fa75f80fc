import { shownPath } from '../../contract/check.js';
import type { ValidationIssue } from '../../errors/index.js';
import { UNSAFE_KEYS } from '../response/json.js';

const DEEPEST = 32;
const MOST_VALUES = 10_000;
const MOST_ISSUES = 50;
const STOP = Symbol('too many values');

type Walk = { issues: ValidationIssue[]; keys: string[]; ancestors: unknown[]; values: number };

/** Whether UTF-16 text has no lone surrogate: one could not be sent as UTF-8. */
function isWellFormed(text: string): boolean {
  // With the flag `u` a pair is one character, so only a lone surrogate matches.
  return !/\p{Cs}/u.test(text);
}

function refuse({ issues, keys }: Walk, message: string): undefined {
  if (issues.length < MOST_ISSUES) issues.push({ path: shownPath(keys), message });
  return undefined;
}

/**
 * Whether an object is one that JSON can express. In another realm `Object.prototype` is another
 * object, but nothing is above it either.
 */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether an object has fields of its own, as opposed to a `Date`, a `Map` and the like. */
function hasFields(object: object): boolean {
  return Object.prototype.toString.call(object) === '[object Object]';
}

function hasSymbols(object: object): boolean {
  return Object.getOwnPropertySymbols(object).some((symbol) =>
    Object.prototype.propertyIsEnumerable.call(object, symbol),
  );
}

function copyAt(key: string, value: unknown, walk: Walk): unknown {
  walk.keys.push(key);
  const copy = copyValue(value, walk);
  walk.keys.pop();
  return copy;
}

function copyList(list: readonly unknown[], walk: Walk): unknown[] {
  const copy: unknown[] = [];
  for (let i = 0; i < list.length; i++) copy.push(copyAt(`${i}`, list[i], walk));
  // JSON would send null in its place.
  if (copy.includes(undefined)) refuse(walk, 'must not contain undefined');
  return copy;
}

function keyRule(key: string): string | undefined {
  if (UNSAFE_KEYS.has(key)) return 'is not allowed as a key';
  return isWellFormed(key) ? undefined : 'must have a key of well-formed Unicode';
}

function copyObject(object: object, walk: Walk): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    walk.keys.push(key);
    const rule = keyRule(key);
    const value =
      rule === undefined
        ? copyValue((object as Record<string, unknown>)[key], walk)
        : refuse(walk, rule);
    walk.keys.pop();
    if (value !== undefined) copy[key] = value;
  }
  return copy;
}

function copyComposite(value: object, walk: Walk): unknown {
  if (Array.isArray(value)) return copyList(value, walk);
  // The input itself may be an instance of one of the caller's classes.
  const isInput = walk.ancestors.length === 1;
  if (isInput ? !hasFields(value) : !isPlain(value)) {
    return refuse(walk, 'must be a plain object, an array or a single value');
  }
  if (!isInput && hasSymbols(value)) return refuse(walk, 'must not have symbols as keys');
  return copyObject(value, walk);
}

function copyValue(value: unknown, walk: Walk): unknown {
  if (++walk.values > MOST_VALUES) {
    refuse(walk, 'contains too many values');
    throw STOP;
  }
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    return isWellFormed(value) ? value : refuse(walk, 'must be well-formed Unicode');
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : refuse(walk, 'must be a finite number');
  }
  if (typeof value !== 'object') return refuse(walk, `must be JSON, not a ${typeof value}`);
  if (walk.ancestors.includes(value)) return refuse(walk, 'must not contain itself');
  if (walk.ancestors.length >= DEEPEST) {
    return refuse(walk, `must not be nested more than ${DEEPEST} deep`);
  }
  walk.ancestors.push(value);
  const copy = copyComposite(value, walk);
  walk.ancestors.pop();
  return copy;
}

/** A copy of an input, and the reasons why parts of it cannot be copied. */
export type InputCopy = {
  readonly copy: unknown;
  readonly issues: readonly ValidationIssue[];
};

/**
 * Copies an input field by field, reading each own field once, so that the checked values are the
 * ones sent: a getter or a Proxy could return one value to the check and another to the request.
 * Inherited fields, such as `toJSON`, and fields that are `undefined` are ignored. Whatever JSON
 * would change silently (a `Date`, a `Map`, an instance of a class inside the input) is refused.
 */
export function copyInput(input: unknown): InputCopy {
  const walk: Walk = { issues: [], keys: [], ancestors: [], values: 0 };
  try {
    return { copy: copyValue(input, walk), issues: walk.issues };
  } catch (error) {
    const issues = error === STOP ? walk.issues : [{ path: '', message: 'cannot be read' }];
    return { copy: undefined, issues };
  }
}
