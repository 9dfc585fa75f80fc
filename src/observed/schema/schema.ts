import type { NoInput } from '../../endpoints/index.js';
import { type Issue, type JsonSchema, object, type Rule, type Shape } from './rule.js';

/** A Standard Schema with the JSON Schema of what goes over the wire. */
export type ObservedSchema<Input, Output = Input> = {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) =>
      | { readonly value: Output; readonly issues?: undefined }
      | { readonly issues: readonly Issue[] };
    readonly jsonSchema: Readonly<Record<'input' | 'output', () => JsonSchema>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
};

/** @param read - makes the result of a value that breaks no rule */
// @__NO_SIDE_EFFECTS__
function schemaOf<Input, Output>(
  { check, json }: Rule,
  read: (value: unknown) => Output,
): ObservedSchema<Input, Output> {
  return {
    '~standard': {
      version: 1,
      vendor: 'card-platform-sdk',
      validate: (value) => {
        const issues = check(value, []);
        return issues.length > 0 ? { issues } : { value: read(value) };
      },
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** A rule over several fields; it gets an input whose fields are right. */
export type InputRule<T> = (
  input: T,
) => { readonly path: string; readonly message: string } | undefined;

/** The input of a call: exactly these fields. */
// @__NO_SIDE_EFFECTS__
export function input<T>(shape: Shape<T>, ...rules: readonly InputRule<T>[]): ObservedSchema<T> {
  return inputOf<T, T>(shape, (given) => given, ...rules);
}

/** The input of an endpoint that takes none. */
export const noInput = input<NoInput>({});

/** The same, of which a function makes what is sent. */
// @__NO_SIDE_EFFECTS__
export function inputOf<T, Sent>(
  shape: Shape<T>,
  read: (given: T) => Sent,
  ...rules: readonly InputRule<T>[]
): ObservedSchema<T, Sent> {
  const fields = object(shape, 'strict');
  const check: Rule['check'] = (value, path) => {
    const issues = fields.check(value, path);
    if (issues.length > 0) return issues;
    const broken = rules.map((rule) => rule(value as T)).filter((one) => one !== undefined);
    return broken.map((one) => ({ message: one.message, path: one.path.split('.') }));
  };
  return schemaOf({ json: fields.json, check }, (value) => read(value as T));
}

/** The same, with fields that are sent unless the caller gives them another value. */
// @__NO_SIDE_EFFECTS__
export function inputWith<T, Added extends object>(
  shape: Shape<T>,
  added: Added,
  ...rules: readonly InputRule<T>[]
): ObservedSchema<T, Omit<T, keyof Added> & Added> {
  const { '~standard': standard } = inputOf<T, Omit<T, keyof Added> & Added>(
    shape,
    (given) => {
      const values = Object.entries(given as object).filter(([, value]) => value !== undefined);
      return { ...added, ...Object.fromEntries(values) } as Omit<T, keyof Added> & Added;
    },
    ...rules,
  );
  const json = standard.jsonSchema.output();
  const constants = Object.entries(added).map(([name, value]) => [name, { default: value }]);
  const sent: JsonSchema = {
    ...json,
    properties: { ...Object.fromEntries(constants), ...Object(json['properties']) },
    required: [...Object(json['required'] ?? []), ...Object.keys(added)],
  };
  return { '~standard': { ...standard, jsonSchema: { input: () => json, output: () => sent } } };
}

/** A response: these fields, and any others. */
// @__NO_SIDE_EFFECTS__
export function response<T>(shape: Shape<T>): ObservedSchema<T> {
  return schemaOf(object(shape), (value) => value as T);
}

/** A response whose value is read by a function. */
// @__NO_SIDE_EFFECTS__
export function readResponse<T>(
  rule: Rule,
  read: (value: unknown) => T,
): ObservedSchema<unknown, T> {
  return schemaOf(rule, read);
}
