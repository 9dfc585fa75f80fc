import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '../../src/contract/endpoint.js';
import { RETRY_CLASSES } from '../../src/contract/retry-policy.js';
import { call, createClient, defineEndpoint } from '../../src/endpoints/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { CREDENTIALS, clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { RecordingServer } from '../support/server.js';

const server = new RecordingServer();
beforeAll(() => server.start());
afterAll(() => server.stop());
beforeEach(() => {
  server.requests.length = 0;
  server.respond = () => ({ body: { id: 1 } });
});

const id = 'own.get';
const path = '/v9/own';
const GET = { id, method: 'GET', path, retry: 'safe' } as const;
const POST = { ...GET, method: 'POST', retry: 'never' } as const;
const declare = defineEndpoint as (declaration: unknown) => Endpoint;

function refused(declaration: unknown): unknown {
  try {
    declare(declaration);
  } catch (error) {
    return error;
  }
  throw new Error('the declaration was expected to be refused');
}

describe('defineEndpoint', () => {
  it('sends fields to path, query and body under their names on the wire, with either client', async () => {
    const input = z.strictObject({
      orderId: z.string(),
      dryRun: z.boolean(),
      recipient: z.string(),
      note: z.nullable(z.string()),
    });
    const endpoint = defineEndpoint({
      ...POST,
      path: '/v9/own/{orderId}',
      input,
      query: ['dryRun'],
      wireNames: { dryRun: 'dry_run', recipient: 'recipientAddrss' },
    });
    const values = { orderId: 'a.b', dryRun: true, recipient: 'x', note: null };
    const light = createClient({ baseUrl: server.baseUrl, ...CREDENTIALS });
    for (const client of [light, clientFor(server.baseUrl)]) {
      expect(await call(client, endpoint, values)).toEqual({ id: 1 });
      expect(server.last).toMatchObject({ method: 'POST', path: '/v9/own/a.b' });
      expect(server.last.query).toEqual({ dry_run: 'true' });
      expect(server.last.body).toEqual({ recipientAddrss: 'x', note: null });
      expect(server.last.headers).toMatchObject({
        'x-client-key': CREDENTIALS.clientKey,
        authorization: `Bearer ${CREDENTIALS.accessToken}`,
        accept: 'application/json',
      });
      expect(server.last.headers).not.toHaveProperty('x-secret-key');
    }
  });

  it('sends the declared credentials, accept header and US routing', async () => {
    const client = clientFor(server.baseUrl, { region: 'us' });
    const own = { ...GET, credentials: ['clientId'], accept: 'text/csv', routing: 'none' } as const;
    await call(client, defineEndpoint(own), {});
    expect(server.last.headers).toMatchObject({ 'x-client-id': CREDENTIALS.clientId });
    expect(server.last.headers).toMatchObject({ accept: 'text/csv' });
    expect(server.last.headers).not.toHaveProperty('authorization');
    expect(server.last.headers).not.toHaveProperty('x-us-env');
    await call(client, defineEndpoint(GET), {});
    expect(server.last.headers).toMatchObject({ 'x-us-env': 'true' });
    const region = { input: z.strictObject({ region: z.string() }), query: ['region'] } as const;
    const routed = defineEndpoint({ ...GET, ...region, routing: 'header-or-query' });
    await call(client, routed, { region: 'us' });
    expect(server.last.headers).not.toHaveProperty('x-us-env');
  });

  it.each([
    ['POST', undefined, undefined],
    ['POST', {}, {}],
    ['PUT', {}, {}],
    ['PATCH', {}, {}],
    ['DELETE', {}, undefined],
    ['GET', {}, undefined],
  ] as const)('%s with the input fields %j sends the body %j', async (method, fields, body) => {
    const input = fields && z.strictObject(fields);
    await call(clientFor(server.baseUrl), declare({ ...POST, method, input }), {});
    expect(server.last.body).toEqual(body);
  });

  it('sends a body with DELETE, and none with POST, when sendsBody says so', async () => {
    const input = z.strictObject({ key: z.optional(z.string()) });
    const client = clientFor(server.baseUrl);
    const remove = defineEndpoint({ ...POST, method: 'DELETE', input, sendsBody: true });
    await call(client, remove, { key: 'a' });
    expect(server.last.body).toEqual({ key: 'a' });
    await call(client, defineEndpoint({ ...POST, input, sendsBody: false }), {});
    expect(server.last.body).toBeUndefined();
  });

  it.each(RETRY_CLASSES)('retries after a 503 as the class %s allows', async (retry) => {
    const { fetch, requests } = scriptedFetch(json({}, 503));
    const client = clientFor(server.baseUrl, { fetch, retry: { baseDelay: 0 } });
    await rejection(call(client, defineEndpoint({ ...GET, retry }), {}));
    const expected = { safe: 3, idempotent: 2, 'issues-token': 2, never: 1 };
    expect(requests).toHaveLength(expected[retry]);
  });

  it('reads the declaration once and returns a frozen endpoint', async () => {
    let reads = 0;
    const query = ['q'];
    const declaration = {
      ...GET,
      input: z.strictObject({ q: z.string() }),
      query,
      get path() {
        return reads++ === 0 ? '/v9/own' : '/v9/other';
      },
    };
    const endpoint = declare(declaration);
    query.push('other');
    await call(clientFor(server.baseUrl), endpoint, { q: 'x' });
    expect([reads, server.last.path, server.last.query]).toEqual([1, '/v9/own', { q: 'x' }]);
    expect(Object.isFrozen(endpoint)).toBe(true);
    expect(endpoint.query).toEqual(['q']);
  });

  const input = z.strictObject({ id: z.string(), q: z.string() });
  it.each([
    ['options', undefined],
    ['options', 'GET /v9/own'],
    ['respones', { ...GET, respones: 'text' }],
    ['id', { ...GET, id: undefined }],
    ['id', { ...GET, id: '' }],
    ['id', { ...GET, id: 'a b' }],
    ['id', { ...GET, id: '__proto__' }],
    ['method', { ...GET, method: 'HEAD' }],
    ['method', { ...GET, method: undefined }],
    ['path', { ...GET, path: 'https://evil.example/x' }],
    ['path', { ...GET, path: '//evil.example' }],
    ['path', { ...GET, path: '/v9/../x' }],
    ['path', { ...GET, path: '/v9/x?y=1' }],
    ['path', { ...GET, path: '/v9/{a-b}' }],
    ['path', { ...GET, path: undefined }],
    ['retry', { ...GET, retry: undefined }],
    ['retry', { ...GET, retry: 'always' }],
    ['retry', { ...GET, retry: 'constructor' }],
    ['input', { ...GET, input: {} }],
    ['input', { ...GET, input: null }],
    ['input', { ...GET, path: '/v9/{id}' }],
    ['input', { ...GET, query: ['q'] }],
    ['output', { ...GET, output: 'string' }],
    ['query', { ...GET, input, query: 'q' }],
    ['query', { ...GET, input, query: [1] }],
    ['query', { ...GET, input, path: '/v9/{id}', query: ['id'] }],
    ['query', { ...GET, input, routing: 'header-or-query' }],
    ['wireNames', { ...GET, input, wireNames: ['q'] }],
    ['wireNames', { ...GET, input, wireNames: { q: '' } }],
    ['wireNames', { ...GET, input, wireNames: { q: '__proto__' } }],
    ['wireNames', { ...GET, input, wireNames: { q: 'x', id: 'x' } }],
    ['wireNames', { ...GET, input, path: '/v9/{id}', wireNames: { id: 'x' } }],
    ['sendsBody', { ...GET, sendsBody: 'yes' }],
    ['sendsBody', { ...GET, sendsBody: true }],
    ['credentials', { ...GET, credentials: ['password'] }],
    ['credentials', { ...GET, credentials: 'clientKey' }],
    ['routing', { ...GET, routing: 'query' }],
    ['response', { ...GET, response: 'blob' }],
    ['accept', { ...GET, accept: '' }],
    ['accept', { ...GET, accept: 'a\r\nx: y' }],
    ['maxResponseBytes', { ...GET, maxResponseBytes: 0 }],
    ['maxResponseBytes', { ...GET, maxResponseBytes: 1.5 }],
    ['maxResponseBytes', { ...GET, maxResponseBytes: Number.NaN }],
    ['maxResponseBytes', { ...GET, maxResponseBytes: 2 ** 31 }],
    ['secretInputs', { ...GET, secretInputs: 'pin' }],
    ['secrets', { ...GET, secrets: [1] }],
    ['errors', { ...GET, errors: [200] }],
    ['errors', { ...GET, errors: 404 }],
  ])('refuses a declaration whose %s cannot work', (option, declaration) => {
    expect(refused(declaration)).toMatchObject({
      name: 'ConfigurationError',
      option,
      outcome: 'not_sent',
      message: expect.stringContaining(option),
    });
  });
});

describe('the input of an endpoint of your own', () => {
  const send = async (declaration: unknown, input: unknown) => {
    const { fetch, requests } = scriptedFetch(json({}));
    const client = clientFor('https://api.example.com', { fetch });
    const result = call(client, declare(declaration), input);
    return {
      error: await result.then(
        () => undefined,
        (error: unknown) => error,
      ),
      requests,
    };
  };

  it('is what its schema returns, so a transformation is sent', async () => {
    const day = z.pipe(
      z.strictObject({ day: z.number() }),
      z.transform(({ day }: { day: number }) => ({ date: `2026-01-0${day}` })),
    );
    const { error, requests } = await send({ ...GET, input: day, query: ['date'] }, { day: 4 });
    expect(error).toBeUndefined();
    expect(requests[0]?.url).toBe('https://api.example.com/v9/own?date=2026-01-04');
  });

  it('is copied when the call is made', async () => {
    let reads = 0;
    const values = {
      get amount() {
        return String(++reads);
      },
    };
    const { requests } = await send(
      { ...POST, input: z.strictObject({ amount: z.string() }) },
      values,
    );
    expect([reads, requests[0]?.init.body]).toEqual([1, '{"amount":"1"}']);
  });

  const amount = z.strictObject({ amount: z.string().check(z.regex(/^\d+$/, 'must be digits')) });
  const stripping = z.object({ amount: z.string() });
  const open = z.looseObject({});
  const anything = { ...POST, input: z.unknown() };
  const inPath = { ...GET, path: '/v9/own/{id}', input: open, query: ['page'] };
  const returning = (value: unknown) => ({
    '~standard': { version: 1, vendor: 'own', validate: () => ({ value }) },
  });
  const CASES: readonly (readonly [why: string, field: string, own: unknown, values: unknown])[] = [
    ['breaks a rule', 'amount', { ...POST, input: amount }, { amount: '1e3' }],
    ['lacks a field', 'amount', { ...POST, input: amount }, {}],
    ['has an unknown field', 'x', { ...POST, input: amount }, { amount: '1', x: 'x' }],
    ['has a field that is dropped', 'x', { ...POST, input: stripping }, { amount: '1', x: 'x' }],
    ['has a field but the endpoint takes none', 'x', GET, { x: 1 }],
    ['has a field that has no place', 'x', { ...GET, input: open }, { x: 1 }],
    ['is missing', '', { ...POST, input: amount }, undefined],
    ['is a list', '', { ...POST, input: amount }, []],
    ['is a text', '', anything, 'text'],
    ['holds NaN', 'amount', anything, { amount: Number.NaN }],
    ['holds a bigint', 'amount', anything, { amount: 1n }],
    ['becomes a number', '', { ...POST, input: returning(7) }, {}],
    ['becomes a function', 'at', { ...POST, input: returning({ at: () => 1 }) }, {}],
    [
      'has two fields of one name',
      'b',
      { ...POST, input: open, wireNames: { a: 'b' } },
      { a: 1, b: 2 },
    ],
    ...['..', '.', '', 'a/b', 'a b', '%2e%2e', 5, null, undefined].map(
      (id) => [`has the path value ${JSON.stringify(id)}`, 'id', inPath, { id }] as const,
    ),
    ...[null, {}, [1]].map(
      (page) =>
        [`has the query value ${JSON.stringify(page)}`, 'page', inPath, { id: 'a', page }] as const,
    ),
  ];
  it.each(CASES)('is refused before anything is sent when it %s', async (_, field, own, values) => {
    const { error, requests } = await send(own, values);
    expect(error).toMatchObject({ name: 'RequestValidationError', outcome: 'not_sent' });
    expect(error).toHaveProperty('issues[0].path', field);
    expect(requests).toEqual([]);
  });

  it('appears in no error, although the messages of a schema may quote it', async () => {
    const input = {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value: unknown) => ({
          issues: [{ message: `got ${JSON.stringify(value)}`, path: ['code'] }],
        }),
      },
    };
    const { error } = await send({ ...POST, input }, { code: 'canary-value' });
    expect(error).toMatchObject({ issues: [{ path: 'code' }] });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('canary-value');
  });

  const schema = (validate: () => unknown) => ({
    '~standard': { version: 1, vendor: 'own', validate },
  });
  it.each([
    ['is async', schema(() => Promise.resolve({ value: {} }))],
    ['is async', schema(() => Promise.reject(new Error('late')))],
    [
      'threw an error',
      schema(() => {
        throw new Error('canary-value');
      }),
    ],
    ['returned nothing', schema(() => undefined)],
    ['returned issues that are not an array', schema(() => ({ issues: 'no' }))],
  ])('is refused when its schema %s', async (rule, input) => {
    const { error, requests } = await send({ ...POST, input }, {});
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'input', operation: id });
    expect(String(error)).toContain(rule);
    expect(String(error)).not.toContain('canary-value');
    expect(requests).toEqual([]);
  });

  it.each([
    ['an empty list', []],
    ['texts', ['canary-value']],
  ])('is refused as a whole when its schema returns %s of issues', async (_, issues) => {
    const input = schema(() => ({ issues }));
    const { error, requests } = await send({ ...POST, input }, {});
    expect(error).toMatchObject({ name: 'RequestValidationError', issues: [{ path: '' }] });
    expect(String(error)).not.toContain('canary-value');
    expect(requests).toEqual([]);
  });
});

describe('the result of an endpoint of your own', () => {
  const output = z.object({ id: z.number() });

  it('is what the output schema returns, even when it is async', async () => {
    const slow = z.pipe(
      output,
      z.transform(async ({ id }: { id: number }) => id + 1),
    );
    const client = clientFor(server.baseUrl);
    expect(await call(client, defineEndpoint({ ...GET, output: slow }), {})).toBe(2);
  });

  it('is an error with the outcome unknown when it breaks the schema, the one declared form', async () => {
    server.respond = () => ({ body: { id: 'x' } });
    const endpoint = defineEndpoint({ ...POST, output });
    expect(await rejection(call(clientFor(server.baseUrl), endpoint, {}))).toMatchObject({
      name: 'ResponseValidationError',
      outcome: 'unknown',
      probableOutcome: 'executed',
      issues: [{ path: 'id' }],
    });
  });

  it('is no success when the body only talks and the schema requires nothing', async () => {
    server.respond = () => ({ body: { message: 'we will see' } });
    const client = clientFor(server.baseUrl);
    const nothing = z.object({ message: z.optional(z.string()) });
    const said = z.object({ message: z.string() });
    expect(
      await rejection(call(client, defineEndpoint({ ...POST, output: nothing }), {})),
    ).toMatchObject({ name: 'ResponseValidationError', outcome: 'unknown' });
    expect(await call(client, defineEndpoint({ ...POST, output: said }), {})).toEqual({
      message: 'we will see',
    });
  });

  it('is undefined for an empty body, unless there is an output schema', async () => {
    server.respond = () => ({ status: 204 });
    const client = clientFor(server.baseUrl);
    expect(await call(client, defineEndpoint(GET), {})).toBeUndefined();
    for (const result of [
      call(client, defineEndpoint({ ...GET, output }), {}),
      call(client, defineEndpoint(GET), {}, { schema: output }),
      client.request('GET', path, { schema: output }),
    ]) {
      expect(await rejection(result)).toMatchObject({ name: 'ProtocolError', outcome: 'unknown' });
    }
  });

  it('is a refusal for success: false', async () => {
    server.respond = () => ({ body: { success: false, message: 'no' } });
    const error = await rejection(call(clientFor(server.baseUrl), defineEndpoint(POST), {}));
    expect(error).toMatchObject({ name: 'OperationRejectedError', operation: id });
  });

  it('prints secrets redacted, and no error contains a secret input', async () => {
    const secret = 'canary-of-the-user';
    server.respond = () => ({ body: { seed: secret, token: secret } });
    const input = z.strictObject({ phrase: z.string() });
    const own = { ...POST, input, secretInputs: ['phrase'], secrets: ['seed'] };
    const client = clientFor(server.baseUrl);
    const result = await call(client, defineEndpoint(own), { phrase: secret });
    expect(inspect(result)).not.toContain(secret);
    expect(result).toMatchObject({ seed: secret });
    server.respond = () => ({ status: 400, body: { message: `wrong ${secret}` } });
    const error = await rejection(call(client, defineEndpoint(own), { phrase: secret }));
    expect(error).toMatchObject({ name: 'BadRequestError' });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret);
  });
});

it('the mock names an endpoint of your own that it does not have', async () => {
  const mock = createMockPlatform();
  const client = clientFor(mock.baseUrl, { fetch: mock.fetch, ...mock.credentials });
  const error = await rejection(call(client, defineEndpoint({ ...GET, path: '/v1/limits' }), {}));
  expect(String(error)).toContain(`has no endpoint for GET ${mock.baseUrl}/v1/limits`);
});
