import fc from 'fast-check';
import { resolved } from './document.js';

const FORMATS = {
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
  uuid: () => fc.uuid(),
  date: () =>
    fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
};

function textOf({ pattern, format, minLength = 0, maxLength = minLength + 40 }) {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format]();
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  return fc.string({ minLength, maxLength, unit: 'grapheme' });
}

function objectOf({ properties = {}, required = [] }) {
  const fields = Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema)]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

/** Makes values of a JSON Schema of the description. */
export function arbitraryOf(given) {
  const schema = resolved(given);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(arbitraryOf));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: 1000 });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'array':
      return fc.array(arbitraryOf(schema.items), { minLength: schema.minItems ?? 0, maxLength: 5 });
    case 'object':
      return schema.properties === undefined
        ? fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 })
        : objectOf(schema);
    default:
      return fc.jsonValue();
  }
}
