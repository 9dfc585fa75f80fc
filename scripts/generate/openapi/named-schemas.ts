import { isDeepStrictEqual } from 'node:util';
import type ts from 'typescript';
import { bareType, fieldsOf, itemOf, knownValuesOf, nameOf, textOf } from './contract-types.js';
import { isJson, type Json } from './json-schema.js';

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
