import type { Endpoint } from '../../contract/endpoint.js';
import { placeholdersIn } from '../../contract/placeholders.js';
import { fieldsOf, type Zod, zodOf } from './schema-parts.js';

/** Returns the fields that the body of a request may have, in the spelling of the service. */
export function wireFieldsOf(endpoint: Endpoint): ReadonlyMap<string, Zod> {
  const { input, sendsBody, path, query = [], localFields = [], wireNames = {} } = endpoint;
  const zod = zodOf(input);
  if (!sendsBody || zod === undefined) return new Map();
  const elsewhere = new Set([...query, ...localFields, ...placeholdersIn(path)]);
  const fields = Object.entries(fieldsOf(zod) ?? {}).filter(([name]) => !elsewhere.has(name));
  return new Map(fields.map(([name, schema]) => [wireNames[name] ?? name, schema]));
}
