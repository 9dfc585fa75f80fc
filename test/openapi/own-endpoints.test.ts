import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { defineEndpoint, openApiPaths } from '../../src/endpoints/index.js';

const contract = JSON.parse(
  readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'),
) as { paths: object };

const common = {
  id: 'own.update',
  method: 'PUT',
  path: '/v9/own/{id}',
  retry: 'idempotent',
} as const;
const withZod = defineEndpoint({
  ...common,
  input: z.strictObject({ id: z.string(), page: z.number().optional(), memo: z.string().max(9) }),
  query: ['page'],
  wireNames: { memo: 'memo_text' },
  output: z.object({ total: z.string() }),
  credentials: ['clientId'],
  routing: 'none',
  errors: [404],
});
const input = mini.strictObject({ id: mini.string(), page: mini.number() });
const withMini = defineEndpoint({
  ...common,
  id: 'own.list',
  method: 'GET',
  input,
  query: ['page'],
});
const statement = defineEndpoint({
  id: 'statements.download',
  method: 'GET',
  path: '/v9/statement',
  retry: 'safe',
  response: 'bytes',
  accept: 'application/pdf',
});
const csv = defineEndpoint({
  ...common,
  id: 'own.csv',
  method: 'POST',
  path: '/v9/csv',
  response: 'text',
});

describe('openApiPaths', () => {
  it('describes endpoints of your own, each field in its place, by the schemas of zod', () => {
    expect(openApiPaths([withZod])).toEqual({
      '/v9/own/{id}': {
        put: {
          operationId: 'own.update',
          tags: ['own'],
          summary: 'own.update',
          description: 'Retries: a second request has the same effect as the first.',
          security: [{ clientId: [] }],
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'page', in: 'query', required: false, schema: { type: 'number' } },
          ],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { memo_text: { type: 'string', maxLength: 9 } },
                  required: ['memo_text'],
                },
              },
            },
          },
          responses: {
            '2XX': {
              description: 'Done.',
              content: {
                'application/json': {
                  schema: {
                    type: 'object',
                    properties: { total: { type: 'string' } },
                    required: ['total'],
                  },
                },
              },
            },
            404: expect.objectContaining({ description: 'Not found.' }),
            498: expect.objectContaining({
              description: 'The client key or client id is not valid.',
            }),
            499: expect.objectContaining({
              description: 'The client key or client id is missing.',
            }),
            default: expect.objectContaining({ description: 'Any other refusal or failure.' }),
          },
          'x-retry-class': 'idempotent',
          'x-page-access': 'on-request',
        },
      },
    });
  });

  it('describes fields without constraints where a schema shows none', () => {
    const { get } = openApiPaths([withMini])['/v9/own/{id}'] as { get: { parameters: unknown } };
    expect(get.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'page', in: 'query', required: false, schema: {} },
      expect.objectContaining({ name: 'x-us-env' }),
    ]);
  });

  it('describes them by a converter that the caller passes', () => {
    const convert = (schema: unknown) => mini.toJSONSchema(schema as typeof input) as object;
    const paths = openApiPaths([withMini], (schema) => ({ ...convert(schema) }));
    expect(JSON.stringify(paths)).toContain('"schema":{"type":"number"}');
  });

  it('describes a schema that JSON Schema cannot express without constraints', () => {
    const day = z.strictObject({ day: z.number().transform(String) });
    const endpoint = defineEndpoint({ ...common, path: '/v9/own', input: day, query: ['day'] });
    expect(JSON.stringify(openApiPaths([endpoint]))).toContain('{"name":"day","in":"query"');
  });

  it('names the media type of texts and bytes', () => {
    const content = (path: string, method: string) => {
      const paths = openApiPaths([statement, csv]) as Record<
        string,
        Record<string, { responses: Record<string, { content: object }> }>
      >;
      return paths[path]?.[method]?.responses['2XX']?.content;
    };
    expect(content('/v9/statement', 'get')).toEqual({ 'application/pdf': {} });
    expect(content('/v9/csv', 'post')).toEqual({ 'text/plain': { schema: { type: 'string' } } });
  });

  it('is valid OpenAPI when it is merged into the document of the contract', async () => {
    const own = openApiPaths([withZod, withMini, statement, csv]);
    const merged = { ...contract, paths: { ...contract.paths, ...own } };
    const { valid, errors } = await new Validator().validate(merged);
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
  });
});
