import type { Field } from '../../contract/field.js';
import { input as inputField, type Rule, responseBody } from '../../contract/fields.js';
import { response as responseShape } from '../../contract/response.js';
import type { Schema, SchemaResult } from '../../contract/schema.js';
import type { NoInput } from '../../endpoints/index.js';

/** A Standard Schema. {@link observedJsonSchema} describes it for OpenAPI. */
export type ObservedSchema<Input, Output = Input> = {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Output>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
  /** What OpenAPI describes: an input, or a response as it was seen. */
  readonly field: Field;
  /** Fields that an input gets where the caller leaves them out. */
  readonly added?: object;
};

/** One field for each property of a type, so that the compiler asks for every one. */
type Shape<T> = { readonly [Name in keyof T]-?: Field };

/** A schema whose value is read by a function once it breaks no rule of a field. */
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
 * A body of which any field may be missing that was not always seen, and that is read by a function.
 *
 * @param bodyIn - returns the body, where a response may have it inside another object
 */
// @__NO_SIDE_EFFECTS__
export function bodyOf<Output>(
  body: Field,
  read: (value: unknown) => Output,
  bodyIn: (value: unknown) => unknown = (value) => value,
): ObservedSchema<unknown, Output> {
  const validate: Schema['~standard']['validate'] = (value) => {
    const { tolerance = body } = responseShape(body, essentialIn(body));
    return tolerance['~standard'].validate(bodyIn(value));
  };
  const checked: Schema = { '~standard': { version: 1, vendor: 'card-platform-sdk', validate } };
  return schemaOf(body, checked, read);
}

/** An object of a response: these fields, and any others. */
// @__NO_SIDE_EFFECTS__
export function objectOf<T>(shape: Shape<T>) {
  return responseBody<Readonly<Record<string, Field>>>(shape);
}

/** A response: these fields, and any others. */
// @__NO_SIDE_EFFECTS__
export function response<T>(shape: Shape<T>): ObservedSchema<unknown, T> {
  return bodyOf(objectOf(shape), (value) => value as T);
}

/** The input of a call: exactly these fields. */
// @__NO_SIDE_EFFECTS__
export function input<T>(shape: Shape<T>, ...rules: readonly Rule<T>[]): ObservedSchema<T> {
  return inputOf(shape, (given) => given, ...rules);
}

/** The input of an endpoint that takes none. */
export const noInput = /* @__PURE__ */ input<NoInput>({});

/** The input of a call, from which a function builds the fields to send. */
// @__NO_SIDE_EFFECTS__
export function inputOf<T, Sent>(
  shape: Shape<T>,
  read: (given: T) => Sent,
  ...rules: readonly Rule<T>[]
): ObservedSchema<T, Sent> {
  // The shape has one field for each property of the input.
  const fields: Readonly<Record<string, Field>> = shape;
  const field = inputField(
    fields,
    ...(rules as unknown as readonly Rule<Record<string, unknown>>[]),
  );
  return schemaOf(field, field, (given) => read(given as T));
}

/** An input with fields that are sent unless the caller passes another value. */
// @__NO_SIDE_EFFECTS__
export function inputWith<T, Added extends object>(
  shape: Shape<T>,
  added: Added,
): ObservedSchema<T, Omit<T, keyof Added> & Added> {
  const read = (given: T) => Object.assign({}, added, given) as Omit<T, keyof Added> & Added;
  return { ...inputOf(shape, read), added };
}
