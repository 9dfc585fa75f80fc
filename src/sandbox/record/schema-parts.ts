import type * as z from 'zod/mini';
import { type Endpoint, placeholdersIn } from '../../contract/endpoint.js';
import { Field } from '../../contract/field.js';
import { flag, list, maybe, responseBody, text } from '../../contract/fields.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { Schema } from '../../contract/schema.js';
import type { Body } from './exchange.js';

/** A schema of the contract, as zod built it. */
export type Zod = z.core.$ZodType;

/** Returns the zod schema of a declaration. A caller's schema has none. */
export function zodOf(schema: Schema | undefined): Zod | undefined {
  return schema instanceof Field ? schema.zod : undefined;
}

/** Returns the schema of the value itself, without "may be absent", "may be null" and "may be empty". */
function required(schema: Zod): z.core.$ZodTypes {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const [first] = def.type === 'union' ? def.options : [];
  const inner = 'innerType' in def ? def.innerType : first;
  return inner === undefined ? (schema as z.core.$ZodTypes) : required(inner);
}

/** Returns the fields that a schema documents; `undefined` for anything but an object. */
export function fieldsOf(schema: Zod): Readonly<Record<string, Zod>> | undefined {
  const { def } = required(schema)._zod;
  return def.type === 'object' ? def.shape : undefined;
}

/** Returns the schema of the items of a list. */
export function itemOf(schema: Zod): Zod | undefined {
  const { def } = required(schema)._zod;
  return def.type === 'array' ? def.element : undefined;
}

/** Returns the schema of the values of an object with any keys. */
export function valueSchemaOf(schema: Zod): Zod | undefined {
  const { def } = required(schema)._zod;
  return def.type === 'record' ? def.valueType : undefined;
}

/** Returns the values of a closed list. */
function valuesOf(schema: Zod): readonly string[] {
  const { def } = required(schema)._zod;
  return def.type === 'enum' ? Object.values(def.entries).map(String) : [];
}

/** The names of all fields in a schema and the values of its closed lists, at any depth. */
export function wordsIn(schema: Zod): readonly string[] {
  const item = itemOf(schema) ?? valueSchemaOf(schema);
  if (item !== undefined) return wordsIn(item);
  const fields = Object.entries(fieldsOf(schema) ?? {});
  return [...valuesOf(schema), ...fields.flatMap(([name, one]) => [name, ...wordsIn(one)])];
}

const consentError = responseBody({ error: text, details: maybe(list(text)) });
const commonError = responseBody({
  message: text,
  errors: maybe(list(responseBody({ field: text, message: text }))),
  isOtpRequired: maybe(flag),
});
const oauthError = responseBody({ error: text, error_description: maybe(text) });

/** The schemas of the error bodies of the contract and the observed calls. */
export const ERROR_SCHEMAS = [commonError, consentError, oauthError];

/** The codes of errors in OAuth (RFC 6749, sections 4.1.2.1 and 5.2). */
export const OAUTH_CODES: ReadonlySet<string> = new Set([
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
]);

/** Returns the schema of the error bodies of an endpoint. An OAuth call has either form. */
export function errorSchemaOf({ id }: Endpoint, body: Body) {
  if (id.startsWith('consent.')) return consentError;
  const isPair = 'json' in body && isObject(body.json) && 'error' in body.json;
  return isPair && id.startsWith('auth.oauth') ? oauthError : commonError;
}

/** Returns the fields that the body of a request may have, in the spelling of the service. */
export function wireFieldsOf(endpoint: Endpoint): ReadonlyMap<string, Zod> {
  const { input, sendsBody, path, query = [], localFields = [], wireNames = {} } = endpoint;
  const zod = zodOf(input);
  if (!sendsBody || zod === undefined) return new Map();
  const elsewhere = new Set([...query, ...localFields, ...placeholdersIn(path)]);
  const fields = Object.entries(fieldsOf(zod) ?? {}).filter(([name]) => !elsewhere.has(name));
  return new Map(fields.map(([name, schema]) => [wireNames[name] ?? name, schema]));
}
