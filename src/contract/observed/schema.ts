import type { NoInput, SuccessResult } from '../common.js';
import type { Field } from '../field.js';
import { flag, input, oneOf, optional, type Rule, responseBody } from '../fields.js';
import { isObject } from '../formats/is-object.js';
import { response } from '../response.js';
import type { Schema, SchemaResult } from '../schema.js';

/** A Standard Schema. {@link observedJsonSchema} describes it for OpenAPI. */
export type ObservedSchema<Input, Output = Input> = {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
  /**
   * What OpenAPI describes, the mock platform checks and a recording is compared with: an input as it is
   * sent, with the fields that the client adds, or a response as it was seen.
   */
  readonly field: Field;
  /** Returns the body that the field describes, where a response may have it inside another object. */
  readonly bodyIn?: ((value: unknown) => unknown) | undefined;
};

/** One field for each property of a type, so that the compiler asks for every one. */
type Shape<T> = { readonly [Name in keyof T]-?: Field };

/**
 * A schema whose value a function reads once it breaks no rule.
 *
 * @param field - the value on the wire
 * @param checked - the value that is validated
 */
// @__NO_SIDE_EFFECTS__
export function schemaOf<Output, Input = unknown>(
  field: Field,
  checked: Schema,
  read: (value: unknown) => Output,
): ObservedSchema<Input, Output> {
  return {
    field,
    '~standard': {
      version: 1,
      vendor: 'card-platform-sdk',
      validate: (value) => {
        const result = checked['~standard'].validate(value);
        if (result instanceof Promise) throw new TypeError('a field is never async');
        return result.issues === undefined ? { value: read(result.value) } : result;
      },
    },
  };
}

/** The paths of the fields that every response had: those that may not be absent. */
function essentialIn({ parts }: Field, path: readonly string[] = []): readonly string[] {
  if (parts.mayBeAbsent) return [];
  const { fields } = parts;
  if (fields === undefined) return path.length === 0 ? [] : [path.join('.')];
  return Object.entries(fields).flatMap(([name, one]) => essentialIn(one, [...path, name]));
}

/**
 * A response body that a function reads. Every field that was not always seen may be missing.
 *
 * @param bodyIn - returns the body, where a response may have it inside another object
 */
// @__NO_SIDE_EFFECTS__
export function bodyOf<Output>(
  body: Field,
  read: (value: unknown) => Output,
  bodyIn?: (value: unknown) => unknown,
): ObservedSchema<unknown, Output> {
  const validate: Schema['~standard']['validate'] = (value) => {
    const { tolerance = body } = response(body, essentialIn(body));
    return tolerance['~standard'].validate(bodyIn === undefined ? value : bodyIn(value));
  };
  const checked: Schema = { '~standard': { version: 1, vendor: 'card-platform-sdk', validate } };
  return { ...schemaOf(body, checked, read), bodyIn };
}

/** An object of a response: these fields, and any others. */
// @__NO_SIDE_EFFECTS__
export function objectOf<T>(shape: Shape<T>) {
  return responseBody<Readonly<Record<string, Field>>>(shape);
}

/** A response: these fields, and any others. */
// @__NO_SIDE_EFFECTS__
export function responseOf<T>(shape: Shape<T>): ObservedSchema<unknown, T> {
  return bodyOf(objectOf(shape), (value) => value as T);
}

/** The input of a call: exactly these fields. */
// @__NO_SIDE_EFFECTS__
export function inputOf<T>(shape: Shape<T>, ...rules: readonly Rule<T>[]): ObservedSchema<T> {
  const field = fieldOf(shape, rules);
  return schemaOf(field, field, (given) => given as T);
}

/** The input of an endpoint without input. */
export const noInput = inputOf<NoInput>({});

// @__NO_SIDE_EFFECTS__
function fieldOf<T>(shape: Shape<T>, rules: readonly Rule<T>[]): Field {
  // The shape has one field for each property of the input.
  const fields: Readonly<Record<string, Field>> = shape;
  return input(fields, ...(rules as unknown as readonly Rule<Record<string, unknown>>[]));
}

/**
 * An input with fields that are sent unless the caller passes another value. A field that the caller
 * cannot pass always has its value.
 */
// @__NO_SIDE_EFFECTS__
export function inputWith<T, Added extends Readonly<Record<string, string>>>(
  shape: Shape<T>,
  added: Added,
): ObservedSchema<T, Omit<T, keyof Added> & Added> {
  const fixed = Object.entries(added)
    .filter(([name]) => !Object.hasOwn(shape, name))
    .map(([name, value]) => [name, oneOf([value])]);
  const sent = input({ ...Object.fromEntries(fixed), ...shape });
  const read = (given: unknown) => Object.assign({}, added, given) as Omit<T, keyof Added> & Added;
  return schemaOf<Omit<T, keyof Added> & Added, T>(sent, fieldOf(shape, []), read);
}

/** An input with fields that have the value of another one unless the caller passes theirs. */
// @__NO_SIDE_EFFECTS__
export function inputWithCopies<T>(
  shape: Shape<T>,
  copied: Readonly<Record<string, keyof T & string>>,
  ...rules: readonly Rule<T>[]
): ObservedSchema<T, Required<T>> {
  const fields: Readonly<Record<string, Field>> = shape;
  const required = Object.entries(copied).map(([name, from]) => [name, fields[from]]);
  const sent = fieldOf<T>({ ...shape, ...Object.fromEntries(required) }, rules);
  const read = (given: unknown) => {
    const copies = Object.entries(copied).map(([name, from]) => [name, Object(given)[from]]);
    return Object.assign(Object.fromEntries(copies), given) as Required<T>;
  };
  return schemaOf<Required<T>, T>(sent, fieldOf(shape, rules), read);
}

/** An empty response, which the client reads as `{}`, or one that says `success: true`. */
function saysDone(value: unknown): boolean {
  return isObject(value) && (value['success'] === true || Object.keys(value).length === 0);
}

/** `{ success: true }` or nothing, the response to a command that moves no money. */
export const command = schemaOf(
  responseBody({ success: optional(flag) }),
  {
    '~standard': {
      version: 1,
      vendor: 'card-platform-sdk',
      validate: (value) =>
        saysDone(value) ? { value } : { issues: [{ message: 'must be true', path: ['success'] }] },
    },
  },
  (value) => value as SuccessResult,
);
