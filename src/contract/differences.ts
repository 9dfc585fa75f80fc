import { type BrokenRule, shownPath } from './check.js';
import { Field } from './field.js';
import { isObject } from './formats/is-object.js';
import type { Schema, SchemaIssue } from './schema.js';

/**
 * How a response differs from the contract: an unknown field, a missing field, a value that is not on
 * the contract's list, a text of another format, or a value of another type (`null` is one).
 */
export type DifferenceKind =
  | 'unknown-field'
  | 'missing-field'
  | 'other-value'
  | 'other-format'
  | 'other-type';

/** One difference between a response and the contract. Never contains a value of the response. */
export type Difference = BrokenRule & { kind: DifferenceKind };

/** Returns the name of a field that the contract does not have, for a path. */
type ShowName = (name: string) => string;

// A key may be data, such as an e-mail address or an id.
const FIELD_NAME = /^[A-Za-z_$][\w$-]{0,39}$/;
const showFieldName: ShowName = (name) =>
  FIELD_NAME.test(name) && !/\d{3}/.test(name) ? name : '?';

const UNKNOWN_FIELD = 'the contract has no such field';
const MISSING_FIELD = 'is missing';

function kindOf(value: unknown, issue: SchemaIssue): DifferenceKind {
  switch (Reflect.get(issue, 'code')) {
    case 'invalid_type':
    case 'invalid_union':
      return 'other-type';
    case 'invalid_value':
      return typeof value === 'string' ? 'other-value' : 'other-type';
    default:
      return 'other-format';
  }
}

/** Collects the differences of a value, each kind once for each path. */
class Comparison {
  readonly found = new Map<string, Difference>();
  readonly #showName: ShowName;

  constructor(showName: ShowName) {
    this.#showName = showName;
  }

  /**
   * @param path - the keys and positions of the value
   * @param place - the same with `*` for positions
   */
  compare(field: Field, value: unknown, path: readonly string[], place: string): void {
    const { inner, fields, isOpen, item, values, mayBeAbsent, mayBeNull, mayBeBlank } = field.parts;
    if (value === undefined) {
      if (!mayBeAbsent) this.#add('missing-field', path, place, MISSING_FIELD);
    } else if (inner !== undefined) {
      const isNothing = (value === null && mayBeNull) || (mayBeBlank && isBlank(value));
      if (!isNothing) this.compare(inner, value, path, place);
    } else if (fields !== undefined && isObject(value)) {
      for (const [name, one] of Object.entries(fields)) {
        const own = Object.hasOwn(value, name) ? value[name] : undefined;
        this.compare(one, own, [...path, name], `${place}.${name}`);
      }
      const unknown = isOpen ? [] : Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
      for (const name of unknown.map(this.#showName)) {
        this.#add('unknown-field', [...path, name], `${place}.${name}`, UNKNOWN_FIELD);
      }
    } else if (item !== undefined && Array.isArray(value)) {
      value.forEach((one, index) => {
        this.compare(item, one, [...path, String(index)], `${place}.*`);
      });
    } else if (values !== undefined && isObject(value)) {
      for (const [key, one] of Object.entries(value)) {
        this.compare(values, one, [...path, this.#showName(key)], `${place}.*`);
      }
    } else {
      const { issues = [] } = validated(field, value);
      for (const issue of issues) this.#add(kindOf(value, issue), path, place, issue.message);
    }
  }

  #add(kind: DifferenceKind, path: readonly string[], place: string, message: string): void {
    const key = `${kind} ${place}`;
    if (!this.found.has(key)) this.found.set(key, { kind, path: shownPath(path), message });
  }
}

const isBlank = (value: unknown) => isObject(value) && Object.keys(value).length === 0;

function validated(field: Field, value: unknown) {
  const result = field['~standard'].validate(value);
  if (result instanceof Promise) throw new TypeError('a schema of the contract is never async');
  return result;
}

/**
 * Compares a response with what the contract promises. Each kind of difference is reported once for
 * each path. For lists, the path is that of the first item that differs.
 *
 * @param showName - how the name of an unknown field is shown; `?` by default where it may be data
 */
export function differencesFrom(
  promise: Schema,
  value: unknown,
  showName: ShowName = showFieldName,
): readonly Difference[] {
  const comparison = new Comparison(showName);
  // Any other schema is the caller's own, and no promise of the service.
  if (promise instanceof Field) comparison.compare(promise, value, [], '');
  return [...comparison.found.values()];
}
