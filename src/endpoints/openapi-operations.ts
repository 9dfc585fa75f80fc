import { type Endpoint, placeholdersIn } from '../contract/endpoint.js';
import { REFUSED_CREDENTIAL } from '../contract/error-statuses.js';
import { LISTS } from '../contract/lists.js';
import { strictestClass } from '../contract/retry-policy.js';
import type { Schema } from '../contract/schema.js';

/** A JSON object of an OpenAPI document. */
export type OpenApiObject = Record<string, unknown>;

/** Converts a schema to JSON Schema. */
export type ToJsonSchema = (schema: Schema, direction: 'input' | 'output') => OpenApiObject;

type ObjectSchema = { properties?: Record<string, OpenApiObject>; required?: string[] };

const RETRY_SENTENCES = {
  safe: 'it only reads, so it may be sent again.',
  idempotent: 'a second request has the same effect as the first.',
  'issues-token': 'a second request issues another short-lived token or URL.',
  never: 'not sent again once it may have reached the service.',
} as const;

const TEXT = { type: 'string' };
const MEDIA_TYPES = {
  json: 'application/json',
  text: 'text/plain',
  bytes: 'application/octet-stream',
} as const;

const US_HEADER = {
  name: 'x-us-env',
  in: 'header',
  description: 'Routes to the US environment.',
  schema: { type: 'boolean', default: false },
};

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'The request is not valid, or the state does not allow it.',
  401: 'A credential is missing, wrong or expired.',
  403: 'Not allowed.',
  404: 'Not found.',
  409: 'It conflicts with the current state.',
  422: 'A field is not valid.',
  498: 'The client key or client id is not valid.',
  499: 'The client key or client id is missing.',
  500: 'The service failed.',
  503: 'Not available.',
};

function listed(endpoint: Endpoint, name: string, schema: OpenApiObject): OpenApiObject {
  const list = endpoint.listed?.[name];
  // A list that only the caller fills does not narrow the field.
  if (list === undefined || LISTS[list].length === 0) return schema;
  const { pattern: _, 'x-sdk-rule': __, ...rest } = schema;
  return { ...rest, enum: LISTS[list] };
}

/** Adds what only this package refuses. The service may accept it, so it is no rule of the schema. */
function withSdkRules(
  { safeguards = [] }: Endpoint,
  name: string,
  schema: OpenApiObject,
): OpenApiObject {
  const own = safeguards.flatMap(({ path, rule }) => (path === name && rule ? [rule] : []));
  const rules = [schema['x-sdk-rule'], ...own].filter(Boolean);
  return rules.length === 0 ? schema : { ...schema, 'x-sdk-rule': rules.join(' ') };
}

/** The fields of an input. If its schema shows none, those that path and query name. */
function fieldsOf(endpoint: Endpoint, toJsonSchema: ToJsonSchema): Required<ObjectSchema> {
  const { properties, required = [] }: ObjectSchema = toJsonSchema(endpoint.input, 'output');
  if (properties !== undefined) return { properties, required };
  const inPath = placeholdersIn(endpoint.path);
  const named = [
    ...inPath.map((name) => [name, TEXT]),
    ...(endpoint.query ?? []).map((name) => [name, {}]),
  ];
  return { properties: Object.fromEntries(named), required: [...inPath] };
}

type Place = 'header' | 'path' | 'query' | 'body' | 'none';

const PARAMETERS: readonly Place[] = ['header', 'path', 'query'];

/** The place where an input field is sent. */
function placeOf(endpoint: Endpoint, name: string): Place {
  const { path, query, headerFields, extraBodyField, localFields } = endpoint;
  if (headerFields?.[name] !== undefined) return 'header';
  if (placeholdersIn(path).includes(name)) return 'path';
  if (query?.includes(name)) return 'query';
  return name === extraBodyField || localFields?.includes(name) ? 'none' : 'body';
}

/** The input fields of an operation, each in the place where it is sent. */
function inputOf(
  endpoint: Endpoint,
  toJsonSchema: ToJsonSchema,
): { parameters: OpenApiObject[]; requestBody?: OpenApiObject } {
  const { properties, required } = fieldsOf(endpoint, toJsonSchema);
  const wire = (name: string) => endpoint.wireNames?.[name] ?? name;
  const fields = Object.entries(properties);
  const parameters = fields
    .filter(([name]) => PARAMETERS.includes(placeOf(endpoint, name)))
    .map(([name, schema]) => ({
      name: endpoint.headerFields?.[name] ?? wire(name),
      in: placeOf(endpoint, name),
      required: required.includes(name),
      schema: listed(endpoint, name, schema),
    }));
  const routing = endpoint.routing === 'none' ? [] : [US_HEADER];
  if (!endpoint.sendsBody) return { parameters: [...parameters, ...routing] };
  const inBody = fields.filter(([name]) => placeOf(endpoint, name) === 'body');
  const requiredInBody = inBody.map(([name]) => name).filter((name) => required.includes(name));
  const body = {
    type: 'object',
    properties: Object.fromEntries(
      inBody.map(([name, schema]) => [
        wire(name),
        withSdkRules(endpoint, name, listed(endpoint, name, schema)),
      ]),
    ),
    ...(requiredInBody.length > 0 && { required: requiredInBody.map(wire) }),
  };
  const whole = endpoint.wholeBodyField;
  const schema = whole === undefined ? body : (properties[whole] ?? {});
  const isForm = endpoint.bodyEncoding === 'form';
  const type = isForm ? 'application/x-www-form-urlencoded' : MEDIA_TYPES.json;
  const isBodyRequired = whole === undefined ? requiredInBody.length > 0 : required.includes(whole);
  return {
    parameters: [...parameters, ...routing],
    requestBody: { required: isBodyRequired, content: { [type]: { schema } } },
  };
}

/** The success response of an endpoint outside the contract, whose status is not known. */
function customResponse(
  { response = 'json', accept = MEDIA_TYPES[response], output }: Endpoint,
  toJsonSchema: ToJsonSchema,
): OpenApiObject {
  const [type = ''] = accept.split(/[,;]/);
  const json = output === undefined ? {} : toJsonSchema(output, 'input');
  // The schema of a text or of bytes describes what a program makes of them.
  const schema =
    response === 'json' ? { schema: json } : response === 'text' ? { schema: TEXT } : {};
  return { '2XX': { description: 'Done.', content: { [type.trim()]: schema } } };
}

const errorResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

function responsesOf(endpoint: Endpoint, toJsonSchema: ToJsonSchema): OpenApiObject {
  const isPreview = endpoint.stability === 'preview';
  const documented = endpoint.isOutsideContract === true ? {} : endpoint.responses;
  const responses = Object.entries(documented).map(([status, { promise }]) => [
    status,
    {
      description: isPreview
        ? 'The contract does not document this response. Any field of what was observed may be absent.'
        : 'Done.',
      content: { 'application/json': { schema: toJsonSchema(promise, 'input') } },
    },
  ]);
  const refused = endpoint.credentials.flatMap((name) => REFUSED_CREDENTIAL[name]);
  const statuses = [...new Set([...endpoint.errors, ...refused])];
  const errors = statuses.map((status) => [
    status,
    errorResponse(STATUS_WORDS[status] ?? 'Refused.'),
  ]);
  const own = endpoint.isOutsideContract === true ? customResponse(endpoint, toJsonSchema) : {};
  return {
    ...own,
    ...Object.fromEntries([...responses, ...errors]),
    default: errorResponse('Any other refusal or failure.'),
  };
}

/** The namespace of an endpoint: `wallets.internal`. */
export function tagOf({ id }: Endpoint): string {
  return id.split('.').slice(0, -1).join('.');
}

/** Which retries are allowed, also for the inputs that have a policy of their own. */
function retriesOf({ retry, retryWhen, wireNames }: Endpoint): string {
  const usual = `Retries: ${RETRY_SENTENCES[retry.class]}`;
  if (retryWhen === undefined) return usual;
  const field = wireNames?.[retryWhen.field] ?? retryWhen.field;
  return `${usual} With \`${field}: ${retryWhen.is}\`: ${RETRY_SENTENCES[retryWhen.retry.class]}`;
}

function operation(endpoint: Endpoint, toJsonSchema: ToJsonSchema): OpenApiObject {
  const { isOutsideContract = false } = endpoint;
  const isPreview = endpoint.stability === 'preview' && !isOutsideContract;
  const texts = endpoint.businessErrors.map(({ messages: [text] }) => text);
  const whole = toJsonSchema(endpoint.input, 'output');
  const ofInput = whole['properties'] === undefined ? {} : whole;
  const words = [
    isPreview && 'Preview: the contract does not describe this endpoint.',
    retriesOf(endpoint),
    texts.length > 0 && `Known refusals: ${texts.map((text) => `"${text}"`).join(', ')}.`,
    // A rule over several fields.
    ofInput['description'],
  ];
  return {
    operationId: endpoint.id,
    tags: [tagOf(endpoint)],
    summary: `${isPreview ? 'Preview: ' : ''}${isOutsideContract ? '' : 'client method '}${endpoint.id}`,
    description: words.filter(Boolean).join(' '),
    security: [Object.fromEntries(endpoint.credentials.map((name) => [name, []]))],
    ...inputOf(endpoint, toJsonSchema),
    responses: responsesOf(endpoint, toJsonSchema),
    'x-retry-class': strictestClass(endpoint),
    'x-page-access': endpoint.pageAccess,
    ...(ofInput['x-sdk-rule'] !== undefined && { 'x-sdk-rule': ofInput['x-sdk-rule'] }),
    ...(isPreview && { 'x-preview': true }),
    ...(endpoint.certainty !== undefined && { 'x-certainty': endpoint.certainty }),
  };
}

/** The OpenAPI 3.1 paths of endpoints. */
export function pathsOf(
  endpoints: readonly Endpoint[],
  toJsonSchema: ToJsonSchema,
): Record<string, OpenApiObject> {
  const paths: Record<string, OpenApiObject> = {};
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(endpoint, toJsonSchema);
    paths[endpoint.path] = path;
  }
  return paths;
}
