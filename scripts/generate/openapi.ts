import { toJSONSchema, type z } from 'zod/mini';
import { BUSINESS_ERRORS } from '../../src/contract/business-errors.js';
import type { Credential, Endpoint } from '../../src/contract/endpoint.js';
import type { Field } from '../../src/contract/field.js';
import { LISTS } from '../../src/contract/lists.js';
import { useZod } from '../../src/contract/provide-zod.js';
import type { Schema } from '../../src/contract/schema.js';

useZod();

type Json = Record<string, unknown>;
type ObjectSchema = { properties?: Record<string, Json>; required?: string[] };

const SECURITY_SCHEMES: Record<Credential, Json> = {
  clientKey: { type: 'apiKey', in: 'header', name: 'x-client-key' },
  clientId: { type: 'apiKey', in: 'header', name: 'X-Client-ID' },
  secretKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-secret-key',
    description: 'For servers only: never in a browser.',
  },
  accessToken: { type: 'http', scheme: 'bearer', description: 'From a login; lives 6 hours.' },
};

const RETRY_CLASSES = {
  safe: 'it only reads, so it may be sent again.',
  idempotent: 'a second request has the same effect as the first.',
  'issues-token': 'a second request issues another short-lived token or URL.',
  never: 'not sent again once it may have reached the service.',
} as const;

const US_HEADER = {
  name: 'x-us-env',
  in: 'header',
  description: 'Routes to the US environment.',
  schema: { type: 'string', enum: ['true'] },
};

const ERROR_BODY = {
  description: 'One of the error bodies of the service.',
  anyOf: [
    {
      type: 'object',
      required: ['message'],
      properties: {
        message: { type: 'string' },
        isOtpRequired: { type: 'boolean' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
    {
      type: 'object',
      required: ['error'],
      properties: { error: { type: 'string' }, details: {} },
    },
  ],
};

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'The request is not valid, or the state does not allow it.',
  401: 'The bearer token is missing, wrong or expired.',
  403: 'Not allowed.',
  404: 'Not found.',
  409: 'It conflicts with the current state.',
  422: 'A field is not valid.',
  498: 'The client key is not valid.',
  499: 'The client key is missing.',
  500: 'The service failed.',
};

/** The message of a rule in code, which JSON Schema cannot express. */
function wordsOf(schema: z.core.$ZodType): string {
  const { checks = [] } = schema._zod.def;
  const words = checks.map(({ _zod: { def } }) =>
    def.check === 'custom' ? def.error?.(undefined as never) : undefined,
  );
  return words.filter((text) => typeof text === 'string').join('; ');
}

/** Converts a schema of the contract to JSON Schema. */
function jsonSchema(schema: Schema): Json {
  const { $schema, ...rest } = toJSONSchema((schema as Field).zod, {
    unrepresentable: 'any',
    io: 'input',
    override({ zodSchema, jsonSchema: written }) {
      const words = wordsOf(zodSchema);
      if (words !== '') written.description = words;
    },
  });
  return rest as Json;
}

function listed(endpoint: Endpoint, name: string, schema: Json): Json {
  const list = endpoint.listed?.[name];
  if (list === undefined) return schema;
  return { ...schema, description: `The contract lists: ${LISTS[list].join(', ')}.` };
}

/** The input fields of an operation, each in the place where it is sent. */
function inputOf(endpoint: Endpoint): { parameters: Json[]; requestBody?: Json } {
  const { properties = {}, required = [] } = jsonSchema(endpoint.input) as ObjectSchema;
  const wire = (name: string) => endpoint.wireNames?.[name] ?? name;
  const isInPath = (name: string) => endpoint.path.includes(`{${name}}`);
  const isInQuery = (name: string) => endpoint.query?.includes(name) === true;
  const parameters = Object.entries(properties)
    .filter(([name]) => isInPath(name) || isInQuery(name))
    .map(([name, schema]) => ({
      name: wire(name),
      in: isInPath(name) ? 'path' : 'query',
      required: required.includes(name),
      schema: listed(endpoint, name, schema),
    }));
  const routing = endpoint.routing === 'none' ? [] : [US_HEADER];
  if (!endpoint.sendsBody) return { parameters: [...parameters, ...routing] };
  const inBody = Object.entries(properties).filter(
    ([name]) =>
      !isInPath(name) &&
      !isInQuery(name) &&
      name !== endpoint.extraBodyField &&
      endpoint.localFields?.includes(name) !== true,
  );
  const body = {
    type: 'object',
    properties: Object.fromEntries(
      inBody.map(([name, schema]) => [wire(name), listed(endpoint, name, schema)]),
    ),
    required: inBody
      .map(([name]) => name)
      .filter((name) => required.includes(name))
      .map(wire),
  };
  const whole = endpoint.wholeBodyField;
  const schema = whole === undefined ? body : (properties[whole] ?? {});
  return {
    parameters: [...parameters, ...routing],
    requestBody: { required: true, content: { 'application/json': { schema } } },
  };
}

function responsesOf(endpoint: Endpoint): Json {
  const isPreview = endpoint.stability === 'preview';
  const responses = Object.entries(endpoint.responses).map(([status, { schema }]) => [
    status,
    {
      description: isPreview ? 'The contract does not document this response.' : 'Done.',
      content: { 'application/json': { schema: isPreview ? {} : jsonSchema(schema) } },
    },
  ]);
  const errors = endpoint.errors.map((status) => [
    status,
    {
      description: STATUS_WORDS[status] ?? 'Refused.',
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  ]);
  return Object.fromEntries([...responses, ...errors]);
}

function operation(endpoint: Endpoint): Json {
  const isPreview = endpoint.stability === 'preview';
  const texts = endpoint.businessErrors.map((code) => BUSINESS_ERRORS[code][0]);
  const words = [
    isPreview && 'Preview: the contract names this endpoint without its shapes.',
    `Retries: ${RETRY_CLASSES[endpoint.retry.class]}`,
    texts.length > 0 && `Documented refusals: ${texts.map((text) => `"${text}"`).join(', ')}.`,
  ];
  return {
    operationId: endpoint.id,
    tags: [endpoint.id.split('.').slice(0, -1).join('.')],
    summary: `${isPreview ? 'Preview: ' : ''}client method ${endpoint.id}`,
    description: words.filter(Boolean).join(' '),
    security: [Object.fromEntries(endpoint.credentials.map((name) => [name, []]))],
    ...inputOf(endpoint),
    responses: responsesOf(endpoint),
    'x-retry-class': endpoint.retry.class,
    ...(isPreview && { 'x-preview': true }),
  };
}

/** The OpenAPI 3.1 description of the service, from the contract as data. */
export function openApi(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(endpoint);
    paths[endpoint.path] = path;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Card platform',
      version,
      description:
        'The partner API of the card-and-wallet platform, as card-platform-sdk declares it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '{baseUrl}', variables: { baseUrl: { default: 'https://api.example.com' } } }],
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: { Error: ERROR_BODY } },
  };
}
