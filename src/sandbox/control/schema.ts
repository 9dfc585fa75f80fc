import { isObject } from '../../contract/formats/is-object.js';
import { meantOption } from '../../contract/formats/option-names.js';

/** The part of JSON Schema that the control uses: in its OpenAPI document, and to check inputs. */
export type Schema = {
  type?: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';
  description?: string;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  anyOf?: readonly Schema[];
};

/** An object with named fields. */
export type ObjectSchema = Schema & {
  type: 'object';
  properties: Readonly<Record<string, Schema>>;
};

export const TEXT: Schema = { type: 'string' };
export const FLAG: Schema = { type: 'boolean' };
export const TEXT_OR_NULL: Schema = { anyOf: [TEXT, { type: 'null' }] };

/** Builds the schema of an object that has no further fields. */
export const fields = (
  properties: Readonly<Record<string, Schema>>,
  ...required: readonly string[]
): ObjectSchema => ({ type: 'object', properties, required, additionalProperties: false });

/** The same, with every field required. */
export const complete = (properties: Readonly<Record<string, Schema>>): ObjectSchema =>
  fields(properties, ...Object.keys(properties));

function hasType(type: Schema['type'], value: unknown): boolean {
  if (type === 'object') return isObject(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isSafeInteger(value);
  return type === undefined || typeof value === type;
}

function objectProblem(schema: Schema, value: Readonly<Record<string, unknown>>, path: string) {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const prefix = path === '' ? '' : `${path}.`;
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${prefix}${missing} is missing`;
  for (const [name, field] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (known === false) {
      const names = Object.keys(properties);
      const meant = meantOption(name, names);
      const advice = meant === undefined ? '' : `. Did you mean ${prefix}${meant}?`;
      return `${prefix}${name} is not known here: expected ${names.join(', ') || 'nothing'}${advice}`;
    }
    const problem = typeof known === 'object' && problemOf(known, field, `${prefix}${name}`);
    if (problem) return problem;
  }
  return undefined;
}

/** Returns the mistake in a value as a sentence that includes the field; `undefined` without one. */
export function problemOf(schema: Schema, value: unknown, path = ''): string | undefined {
  const name = path === '' ? 'the input' : path;
  const { anyOf, type, minimum = -Infinity, maximum = Infinity } = schema;
  if (anyOf?.every((one) => problemOf(one, value, path) !== undefined)) {
    return anyOf.map((one) => problemOf(one, value, path)).join(', or ');
  }
  if (!hasType(type, value)) return `${name} must be of type ${type}`;
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return `${name} must be one of ${schema.enum.join(', ')}`;
  }
  if (typeof value === 'number' && !(value >= minimum && value <= maximum)) {
    return `${name} must be ${minimum === -Infinity ? '' : `at least ${minimum}`}${maximum === Infinity ? '' : ` and at most ${maximum}`}`;
  }
  if (typeof value === 'string' && !new RegExp(schema.pattern ?? '', 'u').test(value)) {
    return `${name} is not ${schema.description ?? 'valid'}`;
  }
  if (Array.isArray(value)) {
    const { items = {} } = schema;
    return value
      .map((item, index) => problemOf(items, item, `${path}[${index}]`))
      .find((problem) => problem !== undefined);
  }
  return isObject(value) ? objectProblem(schema, value, path) : undefined;
}

/** Converts the text of a form field to the type in its schema. */
function fromText({ type, anyOf = [] }: Schema, text: string): unknown {
  const types = [type, ...anyOf.map((one) => one.type)];
  const isNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text);
  if (isNumber && (types.includes('number') || types.includes('integer'))) return Number(text);
  if (types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

/** Reads the fields of a form. Empty ones are left out. */
export function readForm({ properties }: ObjectSchema, form: URLSearchParams) {
  const fields = [...form].filter(([name, text]) => text !== '' && name !== 'action');
  return Object.fromEntries(
    fields.map(([name, text]) => [
      name,
      fromText(Object.hasOwn(properties, name) ? (properties[name] ?? {}) : {}, text),
    ]),
  );
}
