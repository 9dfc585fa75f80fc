import { toJSONSchema, type z } from 'zod/mini';
import type { Credential, Endpoint } from '../../src/contract/endpoint.js';
import type { Field } from '../../src/contract/field.js';
import { useZod } from '../../src/contract/provide-zod.js';
import type { Schema } from '../../src/contract/schema.js';
import { pathsOf } from '../../src/endpoints/openapi-operations.js';

useZod();

type Json = Record<string, unknown>;

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

/** The OpenAPI 3.1 description of the service, from the contract as data. */
export function openApi(endpoints: readonly Endpoint[], version: string): Json {
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
    paths: pathsOf(endpoints, jsonSchema),
    components: { securitySchemes: SECURITY_SCHEMES, schemas: { Error: ERROR_BODY } },
  };
}
