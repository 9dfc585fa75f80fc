import type { NoInput } from '../../endpoints/index.js';
import { type Broken, object, type Rule, type Shape } from './rule.js';

/** A Standard Schema. {@link observedJsonSchema} describes it for OpenAPI. */
export type ObservedSchema<Input, Output = Input> = {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: Output; readonly issues?: undefined }
      | { readonly issues: readonly { readonly message: string; readonly path: Broken }[] };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
  /** The rule for a value. */
  readonly rule: Rule;
  /** Fields that an input gets where the caller leaves them out. */
  readonly added?: object;
};

/** A rule over several fields. It gets an input whose fields are valid, and returns a path at fault. */
type InputRule<T> = (input: T) => string | undefined;

/** A schema whose value is read by a function once it breaks no rule. */
// @__NO_SIDE_EFFECTS__
export function schemaOf<Output, Input = unknown>(
  rule: Rule,
  read: (value: unknown) => Output,
): ObservedSchema<Input, Output> {
  return {
    rule,
    '~standard': {
      version: 1,
      vendor: 'card-platform-sdk',
      validate: (value) => {
        const broken = rule.check(value);
        return broken.length > 0
          ? { issues: broken.map((path) => ({ message: 'is not valid', path })) }
          : { value: read(value) };
      },
    },
  };
}

/** The rule of an input: exactly these fields, and perhaps a rule over several of them. */
// @__NO_SIDE_EFFECTS__
function inputRule<T>(shape: Shape<T>, across: InputRule<T> | undefined): Rule {
  const fields = object(shape, 'strict');
  return {
    ...fields,
    check: (value) => {
      const broken = fields.check(value);
      if (broken.length > 0) return broken;
      const path = across?.(value as T);
      return path === undefined ? [] : [path.split('.')];
    },
  };
}

/** A response: these fields, and any others. */
// @__NO_SIDE_EFFECTS__
export function response<T>(shape: Shape<T>): ObservedSchema<unknown, T> {
  return schemaOf(object(shape), (value) => value as T);
}

/** The input of a call: exactly these fields. */
// @__NO_SIDE_EFFECTS__
export function input<T>(shape: Shape<T>, across?: InputRule<T>): ObservedSchema<T> {
  return schemaOf(inputRule(shape, across), (given) => given as T);
}

/** The input of an endpoint that takes none. */
export const noInput = input<NoInput>({});

/** The input of a call, from which a function builds the fields to send. */
// @__NO_SIDE_EFFECTS__
export function inputOf<T, Sent>(
  shape: Shape<T>,
  read: (given: T) => Sent,
  across?: InputRule<T>,
): ObservedSchema<T, Sent> {
  return schemaOf(inputRule(shape, across), (given) => read(given as T));
}

/** An input with fields that are sent unless the caller passes another value. */
// @__NO_SIDE_EFFECTS__
export function inputWith<T, Added extends object>(
  shape: Shape<T>,
  added: Added,
): ObservedSchema<T, Omit<T, keyof Added> & Added> {
  const read = (given: unknown) => Object.assign({}, added, given) as Omit<T, keyof Added> & Added;
  return { ...schemaOf(object(shape, 'strict'), read), added };
}
