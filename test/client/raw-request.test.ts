import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { RawRequest } from '../../src/transport/declare/raw-request.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com/base';

function setUp(response = json({ id: 1 }), options: Partial<ClientOptions> = {}) {
  const { fetch, requests } = scriptedFetch(response);
  return { client: clientFor(BASE_URL, { fetch, ...options }), requests };
}

describe('client.request', () => {
  it('fills in the path template and encodes the query', async () => {
    const { client, requests } = setUp();
    const query = { 'a b': 'x&y=1', page: 0, flag: true, none: undefined };
    const result = await client.request('GET', '/v9/things/{id}/{part}', {
      params: { id: 'a.b~c', part: '42' },
      query,
    });
    expect(result).toEqual({ id: 1 });
    expect(requests[0]?.url).toBe(
      `${BASE_URL}/v9/things/a.b~c/42?a%20b=x%26y%3D1&page=0&flag=true`,
    );
  });

  it('sends the requested credentials and no others', async () => {
    const { client, requests } = setUp();
    await client.request('GET', '/v9/x');
    await client.request('GET', '/v9/x', { auth: ['clientId'] });
    await client.request('GET', '/v9/x', { auth: [] });
    const sent = requests.map(({ init }) => Object.keys(init.headers ?? {}).sort());
    expect(sent[0]).toEqual(expect.arrayContaining(['authorization', 'x-client-key']));
    expect(sent[1]).toContain('x-client-id');
    expect(sent[1]).not.toContain('authorization');
    expect(sent[2]?.filter((name) => name.startsWith('x-'))).toEqual([]);
  });

  it.each([
    [{ a: 1 }],
    [[1, 2]],
    ['text'],
    [null],
    [0],
    [false],
  ])('sends the body %j', async (body) => {
    const { client, requests } = setUp();
    await client.request('POST', '/v9/x', { body });
    expect(requests[0]?.init.body).toBe(JSON.stringify(body));
  });

  it('sends no body where none is given, and no content type', async () => {
    const { client, requests } = setUp();
    await client.request('POST', '/v9/x');
    expect(requests[0]?.init.body ?? undefined).toBeUndefined();
    expect(new Headers(requests[0]?.init.headers).get('content-type')).toBeNull();
  });

  it('routes to the US with a header unless routing is none', async () => {
    const { client, requests } = setUp(json({}), { region: 'us' });
    await client.request('GET', '/v9/x');
    await client.request('GET', '/v9/x', { routing: 'none' });
    expect(requests.map(({ init }) => new Headers(init.headers).get('x-us-env'))).toEqual([
      'true',
      null,
    ]);
  });

  it('retries only as the caller allows', async () => {
    for (const [retryClass, count] of [
      ['never', 1],
      ['safe', 3],
      ['idempotent', 2],
      ['issues-token', 2],
      [undefined, 1],
    ] as const) {
      const { client, requests } = setUp(json({}, 500), { retry: { baseDelay: 0 } });
      await rejection(client.request('GET', '/v9/x', { retryClass }));
      expect(requests).toHaveLength(count);
    }
  });

  it('types and checks the response with a schema', async () => {
    const schema = z.object({ id: z.number() });
    const { client } = setUp();
    const { id } = await client.request('GET', '/v9/x', { schema });
    expect(id).toBe(1);
    const wrong = setUp(json({ id: 'x' })).client.request('GET', '/v9/x', { schema });
    expect(await rejection(wrong)).toMatchObject({ name: 'ResponseValidationError' });
  });

  it('reads an empty response as the method for the same path does', async () => {
    const unfreeze = (options: RawRequest<unknown> = {}) =>
      setUp(json('')).client.request('POST', '/v1/card/unfreeze', options);
    expect(await unfreeze()).toBeUndefined();
    const withdraw = setUp(json('')).client.request('POST', '/v1/wallet/credit/withdraw', {
      body: { amount: '1' },
    });
    expect(await rejection(withdraw)).toMatchObject({ outcome: 'unknown' });
    const refused = unfreeze({ mayBeEmpty: false });
    expect(await rejection(refused)).toMatchObject({ outcome: 'unknown' });
  });

  it('returns undefined for an empty response and throws the same errors as every other call', async () => {
    const { client } = setUp(json(''));
    expect(await client.request('DELETE', '/v9/x', { mayBeEmpty: true })).toBeUndefined();
    expect(await client.request('GET', '/v9/x')).toBeUndefined();
    const refused = setUp(json({ message: 'Card not found' }, 404)).client;
    expect(await rejection(refused.request('GET', '/v9/x'))).toMatchObject({
      name: 'NotFoundError',
      code: 'not_found',
      outcome: 'rejected',
      operation: 'request',
    });
  });

  it.each([
    'https://evil.example/x',
    '//evil.example/x',
    '/\\evil.example',
    'v9/x',
    '',
    '/',
    '/v9//x',
    '/v9/../x',
    '/v9/./x',
    '/v9/%2e%2e/x',
    '/v9/x?y=1',
    '/v9/x#y',
    '/v9/x y',
    '/v9/x\n',
    '/v9/{id',
    '/v9/{i-d}',
    '/v9/x@evil',
    5,
    null,
  ])('rejects the path %j', async (path) => {
    const { client, requests } = setUp();
    const error = await rejection(client.request('GET', path as string));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'path' });
    expect(requests).toHaveLength(0);
  });

  it.each([
    '..',
    '.',
    '',
    'a/b',
    'a\\b',
    '%2e%2e',
    'a?b',
    'a b',
    undefined,
  ])('rejects the path parameter %j', async (id) => {
    const { client, requests } = setUp();
    const request = { params: { id } } as RawRequest;
    const error = await rejection(client.request('GET', '/v9/{id}', request));
    expect(error).toMatchObject({ name: 'RequestValidationError', issues: [{ path: 'id' }] });
    expect(requests).toHaveLength(0);
  });

  it.each([
    ['method', 'TRACE', {}],
    ['auth', 'GET', { auth: ['password'] }],
    ['retryClass', 'GET', { retryClass: 'always' }],
    ['routing', 'GET', { routing: 'query' }],
    ['response', 'GET', { response: 'blob' }],
    ['mayBeEmpty', 'GET', { mayBeEmpty: 'yes' }],
    ['maxResponseBytes', 'GET', { maxResponseBytes: 0 }],
    ['secretInputs', 'GET', { secretInputs: 'pin' }],
    ['secrets', 'GET', { secrets: 'pin' }],
    ['bdoy', 'GET', { bdoy: 1 }],
  ])('rejects an invalid %s', async (option, method, request) => {
    const { client, requests } = setUp();
    const error = await rejection(client.request(method as 'GET', '/v9/x', request as RawRequest));
    expect(error).toMatchObject({ name: 'ConfigurationError', option });
    expect(requests).toHaveLength(0);
  });

  it('rejects query values that are not primitive', async () => {
    for (const value of [{}, [], null, Number.NaN, '\ud800']) {
      const { client, requests } = setUp();
      const request = { query: { q: value } } as unknown as RawRequest;
      const error = await rejection(client.request('GET', '/v9/x', request));
      expect(error).toMatchObject({ name: 'RequestValidationError' });
      expect(requests).toHaveLength(0);
    }
  });
});
