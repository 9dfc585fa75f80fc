import { isDeepStrictEqual } from 'node:util';
import type ts from 'typescript';
import { bareType, fieldsOf, itemOf, knownValuesOf, nameOf, textOf } from './contract-types.js';
import { isJson, type Json } from './json-schema.js';

/** Names parts of a document that occur more than once, so that each is written once. */
export class SharedComponents {
  /** By name. */
  readonly byName: Record<string, Json> = {};
  readonly #folder: string;
  readonly #seen: { name: string; group: string; part: Json; places: Json[] }[] = [];

  /** @param folder - of `components`, for example `responses` */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the reference to write in place of a part.
   *
   * @param group - makes the name unique where several different parts have it
   */
  add(name: string, group: string, part: Json): Json {
    const place = { ...part };
    const known = this.#seen.find((one) => isDeepStrictEqual(one.part, part));
    if (known === undefined) this.#seen.push({ name, group, part, places: [place] });
    else known.places.push(place);
    return place;
  }

  /** Replaces every part that occurs more than once by a reference. */
  share(): void {
    // The part that occurs most often has the shorter name.
    const byUse = [...this.#seen].sort((one, other) => other.places.length - one.places.length);
    for (const { name: short, group, part, places } of byUse) {
      if (places.length === 1) continue;
      const name = [short, `${short}.${group}`].find((one) => this.byName[one] === undefined);
      if (name === undefined) throw new Error(`two components are named ${short}.${group}`);
      this.byName[name] = part;
      for (const place of places) {
        for (const key of Object.keys(place)) delete place[key];
        place['$ref'] = `#/components/${this.#folder}/${name}`;
      }
    }
  }
}

/** The schemas of a document, under the names of their types in src/contract. */
export class NamedSchemas {
  /** By name. */
  readonly byName: Record<string, Json> = {};

  /** Describes a schema by its type, and returns a reference to it if the type has a name. */
  add(schema: Json, type: ts.TypeNode, fieldOf = (wireName: string) => wireName): Json {
    const described = this.#described(schema, type, fieldOf);
    const name = nameOf(type);
    if (name === undefined || !isJson(described['properties'])) return described;
    const text = textOf(type);
    const named = { ...(text !== '' && { description: text }), ...described };
    const known = this.byName[name];
    // Two parts of a type, such as its fields in the query and in the body, have one name.
    if (known !== undefined && !isDeepStrictEqual(known, named)) return described;
    this.byName[name] = named;
    return { $ref: `#/components/schemas/${name}` };
  }

  #described(schema: Json, type: ts.TypeNode, fieldOf: (wireName: string) => string): Json {
    const { anyOf, items, properties } = schema;
    if (Array.isArray(anyOf)) {
      return { ...schema, anyOf: anyOf.map((one: Json) => this.add(one, bareType(type))) };
    }
    const item = itemOf(type);
    if (item !== undefined && isJson(items)) return { ...schema, items: this.add(items, item) };
    if (!isJson(properties)) return { ...schema, ...known(schema, type) };
    const fields = fieldsOf(type);
    const described = Object.entries(properties).map(([name, property]) => {
      const field = fields.get(fieldOf(name));
      if (field === undefined || !isJson(property)) return [name, property];
      const added = this.add(property, field.type);
      const words = [field.text, added['description']].filter(Boolean).join(' ');
      return [name, { ...added, ...(words !== '' && { description: words }) }];
    });
    return { ...schema, properties: Object.fromEntries(described) };
  }
}

/** The known values of a text that may have others. */
function known(schema: Json, type: ts.TypeNode): Json {
  const isText = schema['type'] === 'string' && schema['enum'] === undefined;
  const values = isText ? knownValuesOf(type) : [];
  return values.length > 0 ? { 'x-extensible-enum': values } : {};
}

const TEXT = { type: 'string' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The error bodies of the contract. Other fields may follow. */
export const ERROR_SCHEMAS = {
  Error: {
    description: 'One of the error bodies of the service.',
    anyOf: [ref('MessageError'), ref('ConsentError')],
  },
  MessageError: {
    description: 'The error body of most endpoints.',
    type: 'object',
    required: ['message'],
    properties: {
      message: TEXT,
      isOtpRequired: {
        type: 'boolean',
        description: 'Only for a login: whether it must be sent again with a one-time password.',
      },
      errors: {
        type: 'array',
        description: 'The fields that are not valid.',
        items: ref('FieldError'),
      },
    },
  },
  FieldError: {
    description: 'A field that is not valid.',
    type: 'object',
    required: ['field', 'message'],
    properties: { field: { ...TEXT, description: 'Dotted path.' }, message: TEXT },
  },
  ConsentError: {
    description: 'The error body of the consent endpoints.',
    type: 'object',
    required: ['error'],
    properties: { error: TEXT, details: { type: 'array', items: TEXT } },
  },
};
