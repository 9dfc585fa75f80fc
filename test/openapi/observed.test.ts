import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { prepareScene, SAMPLES } from '../../scripts/generate/openapi/observed/samples.js';
import { completeOpenApi } from '../../src/sandbox/openapi-file.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { OBSERVED_ROWS, type ObservedRow } from '../observed/observed-rows.js';

type Media = { schema?: Schema; example?: unknown };
type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};
type Response = { $ref?: string; content?: Record<string, Media> };
type Operation = {
  operationId: string;
  summary: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters: { name?: string; $ref?: string }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, Response>;
  'x-certainty': string;
  'x-operations'?: string[];
};

const text = readFileSync(new URL('../../openapi-observed.json', import.meta.url), 'utf8');
const document = JSON.parse(text);

function operationOf({ method, path }: ObservedRow): Operation {
  return document.paths[path]?.[method.toLowerCase()];
}

function resolved<Part extends { $ref?: string }>(part: Part): Part {
  const path = part.$ref?.split('/').slice(1) ?? [];
  return path.length === 0 ? part : path.reduce((whole, key) => whole[key], document);
}

const typeOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** The differences between a value and the types of a schema. */
function differences(given: Schema, value: unknown, path = '$'): string[] {
  const schema = resolved(given);
  const types = [schema.type ?? []].flat().map((type) => (type === 'integer' ? 'number' : type));
  if (types.length > 0 && !types.includes(typeOf(value))) return [`${path} is ${typeOf(value)}`];
  if (Array.isArray(value)) {
    return value.flatMap((item, index) =>
      differences(schema.items ?? {}, item, `${path}.${index}`),
    );
  }
  if (typeOf(value) !== 'object') return [];
  const fields = Object(value) as Record<string, unknown>;
  const missing = (schema.required ?? []).filter((name) => !(name in fields));
  const inner = Object.entries(schema.properties ?? {})
    .filter(([name]) => name in fields)
    .flatMap(([name, field]) => differences(field, fields[name], `${path}.${name}`));
  return [...missing.map((name) => `${path}.${name} is missing`), ...inner];
}

describe('openapi-observed.json', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has every observed call, and no other', () => {
    const operations: Operation[] = Object.values(
      document.paths as Record<string, Record<string, Operation>>,
    ).flatMap((methods) => Object.values(methods));
    const ids = operations.flatMap((one) => one['x-operations'] ?? [one.operationId]);
    expect(ids.sort()).toEqual(OBSERVED_ROWS.map(({ id }) => id).sort());
    const names = operations.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
    const tags: { name: string }[] = document.tags;
    const used = new Set(operations.flatMap((one) => one.tags));
    expect(used).toEqual(new Set(tags.map(({ name }) => name)));
  });

  it('resolves each of its references', () => {
    const references = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, path]) => path ?? '');
    expect(references.length).toBeGreaterThan(50);
    for (const $ref of references) expect(resolved({ $ref }), $ref).toBeDefined();
  });

  it('documents that the OAuth grants of the second family accept a form too', () => {
    const { requestBody } = document.paths['/v1/auth/oauth2/token'].post;
    expect(Object.keys(requestBody.content)).toEqual([
      'application/json',
      'application/x-www-form-urlencoded',
    ]);
    const { content } = document.paths['/v1/auth/oauth/token'].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json']);
    expect(content['application/json'].schema.oneOf).toHaveLength(2);
  });
});

describe.each(OBSERVED_ROWS)('$id in openapi-observed.json', (row) => {
  const operation = operationOf(row);
  const statuses = Object.keys(operation.responses);

  async function send(
    change: (request: { headers: Record<string, string>; body: unknown }) => object = () => ({}),
  ): Promise<Response & { status: number; text: string }> {
    const mock = createMockPlatform({ observed: true });
    const scene = await prepareScene(mock);
    const { path = row.path, query, body } = (await SAMPLES[row.id]?.(scene)) ?? {};
    const needsToken = row.auth.includes('bearer') || row.auth.includes('loginBearer');
    const headers = {
      'x-client-key': mock.credentials.clientKey,
      ...(needsToken && { authorization: `Bearer ${mock.accessTokenFor(scene.ada)}` }),
    };
    const sent = { headers, body, ...change({ headers, body }) };
    const response = await mock.fetch(`${mock.baseUrl}${path}?${new URLSearchParams(query)}`, {
      method: row.method,
      headers: sent.headers,
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    });
    return { status: response.status, text: await response.text() };
  }

  it('has each status that was seen, and its credentials', () => {
    expect(statuses).toEqual(expect.arrayContaining([...row.ok, ...row.errors].map(String)));
    const named = row.auth.flatMap((name) => (name === 'none' ? [] : name));
    const expected = named.map((name) => (name === 'clientKey' ? name : 'accessToken'));
    expect(operation.security).toEqual([Object.fromEntries(expected.map((name) => [name, []]))]);
    expect(operation.summary).not.toBe(row.id);
    expect(operation['x-certainty']).toBe(row.certainty);
  });

  it('takes the US header where the call does', () => {
    const names = operation.parameters.map((one) => resolved(one).name);
    expect(names.includes('x-us-env')).toBe(row.us === 'header');
  });

  it('describes the success of the mock platform, with an example of the same shape', async () => {
    const { status, text: body } = await send();
    expect(statuses).toContain(String(status));
    const media = operation.responses[status]?.content?.['application/json'];
    if (media === undefined) return;
    expect(differences(media.schema ?? {}, JSON.parse(body))).toEqual([]);
    expect(differences(media.schema ?? {}, media.example)).toEqual([]);
  });

  it.each([
    ['no credentials', () => ({ headers: {} })],
    ['a wrong client key', ({ headers }) => ({ headers: { ...headers, 'x-client-key': 'x' } })],
    ['an old token', ({ headers }) => ({ headers: { ...headers, authorization: 'Bearer x' } })],
    ['an empty body', ({ body }) => ({ body: body === undefined ? undefined : {} })],
    [
      'a body with wrong types',
      ({ body }) => ({
        body:
          body === undefined
            ? undefined
            : Object.fromEntries(Object.keys(Object(body)).map((name) => [name, { a: 1 }])),
      }),
    ],
    [
      'a body with other texts',
      ({ body }) => ({
        body:
          body === undefined
            ? undefined
            : Object.fromEntries(
                Object.entries(Object(body)).map(([name, value]) => [
                  name,
                  typeof value === 'string' && name !== 'grant_type' ? `${value}1` : value,
                ]),
              ),
      }),
    ],
  ] as [
    string,
    Parameters<typeof send>[0],
  ][])('has the status of the refusal of %s', async (_, change) => {
    const { status } = await send(change);
    expect(statuses).toContain(String(status));
  });
});

describe('the document with both kinds of calls', () => {
  const read = (name: string) =>
    JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
  const complete = JSON.parse(JSON.stringify(completeOpenApi('https://api.example.com')));

  /** A part of a document with every reference replaced by what it refers to. */
  function unfolded(part: unknown, whole: unknown, depth = 0): unknown {
    if (depth > 30 || typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map((one) => unfolded(one, whole, depth + 1));
    const { $ref, ...rest } = part as { $ref?: string };
    const target = $ref
      ?.split('/')
      .slice(1)
      .reduce((found, key) => Object(found)[key], Object(whole));
    const own = Object.entries(rest).map(([key, one]) => [key, unfolded(one, whole, depth + 1)]);
    return { ...Object(unfolded(target, whole, depth + 1)), ...Object.fromEntries(own) };
  }

  it.each([
    'openapi.json',
    'openapi-observed.json',
  ])('describes every operation of %s as that file does', (name) => {
    const alone = read(name);
    const operations = Object.entries(alone.paths).flatMap(([path, methods]) =>
      Object.keys(Object(methods)).map((method) => [path, method] as const),
    );
    expect(operations.length).toBeGreaterThan(30);
    for (const [path, method] of operations) {
      const inBoth = unfolded(complete.paths[path][method], complete);
      expect(inBoth, `${method} ${path}`).toEqual(unfolded(alone.paths[path][method], alone));
    }
  });

  it('has operations whose references lead somewhere', () => {
    const references = [...JSON.stringify(complete).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(100);
    for (const [, path = ''] of references) {
      const target = path.split('/').reduce((found, key) => found?.[key], complete);
      expect(target, path).toBeDefined();
    }
  });
});
