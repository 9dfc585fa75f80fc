import { call, defineEndpoint, freezeCard, getUser } from 'card-platform-sdk/endpoints';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { CardPlatformClient } from '../../src/index.js';
import type { MockUser } from '../../src/testing/index.js';
import { ACCESS_WAYS, type PlatformAccess } from '../conformance/platform-access.js';

const pausePayout = defineEndpoint({
  id: 'payouts.pause',
  method: 'POST',
  path: '/v1/payouts/{payoutId}',
  retry: 'never',
  input: z.strictObject({
    payoutId: z.string(),
    reason: z.string(),
    isDryRun: z.boolean(),
    limit: z.optional(z.number()),
    day: z.optional(z.number()),
  }),
  query: ['isDryRun', 'day'],
  wireNames: { isDryRun: 'dry_run', reason: 'why' },
  output: z.object({ state: z.string() }),
});
const PAUSE = { payoutId: 'payout-1', reason: '7', isDryRun: false, day: 3 };

describe.each(ACCESS_WAYS)('a route of a test through %s', (_, open) => {
  let access: PlatformAccess | undefined;
  afterEach(async () => {
    vi.restoreAllMocks();
    await access?.close();
  });

  async function start() {
    const opened = await open();
    access = opened;
    // msw logs the errors of handlers.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const { platform: mock } = opened;
    const ada = mock.users.add({ card: 'ACTIVE' });
    const send = (path: string, init: RequestInit = {}) =>
      opened.send(new Request(`${mock.baseUrl}${path}`, init));
    return { mock, ada, send, client: clientOf(opened, ada) };
  }

  function clientOf({ platform, send }: PlatformAccess, user: MockUser): CardPlatformClient {
    return new CardPlatformClient({
      baseUrl: platform.baseUrl,
      fetch: (url, init) => send(new Request(url, init)),
      ...platform.credentials,
      accessToken: platform.accessTokenFor(user),
      retry: false,
    });
  }

  it('receives the path parameters, the query, the body and the user', async () => {
    const { mock, ada, send } = await start();
    mock.serve('PUT', '/v1/limits/{limitId}/{kind}', ({ params, query, body, user }) => ({
      body: { ...params, unit: query.get('unit'), body, user: user?.id },
      headers: { 'x-limit': 'yes' },
    }));
    const response = await send('/v1/limits/a%20b/daily?unit=usd', {
      method: 'PUT',
      headers: { authorization: `Bearer ${mock.accessTokenFor(ada)}` },
      body: JSON.stringify({ amount: '5' }),
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-limit')).toBe('yes');
    expect(await response.json()).toEqual({
      limitId: 'a b',
      kind: 'daily',
      unit: 'usd',
      body: { amount: '5' },
      user: ada.id,
    });
  });

  it('is listed in the requests, with its status', async () => {
    const { mock, send } = await start();
    const route = mock.serve('POST', '/v1/limits', () => ({ status: 201, body: {} }));
    await send('/v1/limits?a=1', { method: 'POST', body: '{"amount":"5"}' });
    expect(mock.requests.only({ operation: route })).toMatchObject({
      operation: 'POST /v1/limits',
      method: 'POST',
      path: '/v1/limits?a=1',
      body: { amount: '5' },
      status: 201,
    });
  });

  it('of an endpoint receives the input in the names and types of the declaration', async () => {
    const { mock, client } = await start();
    const inputs: unknown[] = [];
    mock.serve(pausePayout, ({ input }) => {
      inputs.push(input);
      const reason: string = input.reason;
      return { body: { state: `paused: ${reason}` } };
    });
    expect(await call(client, pausePayout, PAUSE)).toEqual({ state: 'paused: 7' });
    expect(inputs).toEqual([PAUSE]);
    expect(mock.requests.only({ operation: pausePayout })).toMatchObject({
      body: { why: '7' },
      status: 200,
    });
  });

  it.each([
    ['with an empty client key', { 'x-client-key': '' }, 498],
    ['with a wrong client key', { 'x-client-key': 'other' }, 498],
    ['with a wrong access token', { authorization: 'Bearer other' }, 401],
  ])('of an endpoint refuses a request %s', async (_title, wrong, status) => {
    const { mock, ada, send } = await start();
    const handler = vi.fn(() => ({ body: { state: 'paused' } }));
    mock.serve(pausePayout, handler);
    const headers = {
      'x-client-key': mock.credentials.clientKey,
      authorization: `Bearer ${mock.accessTokenFor(ada)}`,
      ...wrong,
    };
    const response = await send('/v1/payouts/a', { method: 'POST', headers, body: '{}' });
    expect(response.status).toBe(status);
    expect(handler).not.toHaveBeenCalled();
  });

  it('of a path checks the credentials that it names', async () => {
    const { mock, send } = await start();
    mock.serve('GET', '/v1/limits', () => ({}), { credentials: ['clientKey'] });
    expect((await send('/v1/limits')).status).toBe(499);
    const headers = { 'x-client-key': mock.credentials.clientKey };
    expect((await send('/v1/limits', { headers })).status).toBe(200);
  });

  it('replaces an endpoint of the platform until it is removed', async () => {
    const { mock, client } = await start();
    const route = mock.serve(freezeCard, () => ({ status: 403 }));
    expect((await client.card.freeze().safe()).error).toMatchObject({ code: 'not_authorized' });
    route.remove();
    await client.card.freeze();
    expect(mock.requests.map(({ operation }) => operation)).toEqual(['card.freeze', 'card.freeze']);
  });

  it('fails, is dropped and is held like an endpoint', async () => {
    const { mock, client, send } = await start();
    const handler = vi.fn(() => ({ body: { state: 'paused' } }));
    const endpoint = mock.serve(pausePayout, handler);
    const path = mock.serve('GET', '/v1/limits', () => ({}));
    mock.fail(pausePayout, 503);
    mock.drop(endpoint, 'after-processing');
    const pause = () => call(client, pausePayout, PAUSE).safe();
    expect((await pause()).error).toMatchObject({ status: 503 });
    expect((await pause()).error).toMatchObject({ code: 'connection_failed' });
    expect(handler).toHaveBeenCalledTimes(1);
    const held = mock.hold(path);
    const response = send('/v1/limits');
    expect((await held.arrived).operation).toBe('GET /v1/limits');
    held.release();
    expect((await response).status).toBe(200);
    mock.assertFaultsUsed();
  });

  it('sends a Response, a text and bytes unchanged', async () => {
    const { mock, send } = await start();
    mock.serve('GET', '/v1/a', () => new Response('a,b', { status: 203 }));
    mock.serve('GET', '/v1/b', async () => ({ body: 'a text' }));
    mock.serve('GET', '/v1/c', () => ({ body: Uint8Array.of(0, 255) }));
    mock.serve('DELETE', '/v1/d', () => ({ status: 204 }));
    const first = await send('/v1/a');
    expect([first.status, await first.text()]).toEqual([203, 'a,b']);
    const second = await send('/v1/b');
    expect([second.headers.get('content-type'), await second.text()]).toEqual([
      'text/plain',
      'a text',
    ]);
    expect(new Uint8Array(await (await send('/v1/c')).arrayBuffer())).toEqual(
      Uint8Array.of(0, 255),
    );
    expect((await send('/v1/d', { method: 'DELETE' })).status).toBe(204);
  });

  it('reports an error of its handler to the caller', async () => {
    const { mock, send } = await start();
    mock.serve('GET', '/v1/a', () => {
      throw new TypeError('the handler is wrong', { cause: new Error('why') });
    });
    mock.serve('GET', '/v1/b', () => ({ total: 1 }) as object);
    mock.serve('GET', '/v1/c', () => undefined as never);
    const messageOf = (path: string) => send(path).then((response) => response.text(), String);
    expect(await messageOf('/v1/a')).toContain('the handler is wrong');
    expect(await messageOf('/v1/b')).toMatch(
      /GET \/v1\/b: total is not a known option. The options are body, headers/,
    );
    expect(await messageOf('/v1/c')).toContain('must be a Response, or have status');
  });
});

describe('the routes of a mock platform', () => {
  async function start() {
    const [[, open]] = ACCESS_WAYS as [(typeof ACCESS_WAYS)[number]];
    const { platform: mock } = await open();
    const get = async (path: string) => (await mock.fetch(`${mock.baseUrl}${path}`)).text();
    return { mock, get };
  }

  it('prefer the path with fewer placeholders, then the newest', async () => {
    const { mock, get } = await start();
    mock.serve('GET', '/v1/a/fixed', () => ({ body: 'fixed' }));
    mock.serve('GET', '/v1/a/{id}', () => ({ body: 'old' }));
    mock.serve('GET', '/v1/a/{name}', () => ({ body: 'new' }));
    expect(await get('/v1/a/fixed')).toBe('fixed');
    expect(await get('/v1/a/x')).toBe('new');
  });

  it('are removed one by one, also when two have the same path', async () => {
    const { mock, get } = await start();
    mock.serve('GET', '/v1/a', () => ({ body: 'old' }));
    const newer = mock.serve('GET', '/v1/a', () => ({ body: 'new' }));
    newer.remove();
    expect(await get('/v1/a')).toBe('old');
  });

  it('are removed by reset', async () => {
    const { mock, get } = await start();
    mock.serve('GET', '/v1/a', () => ({ body: 'a' }));
    mock.reset();
    await expect(get('/v1/a')).rejects.toThrow('no endpoint for GET');
  });

  it('respond with JSON in quotation marks where an endpoint returns a string', async () => {
    const { mock, get } = await start();
    const common = { method: 'GET', retry: 'safe', credentials: [] } as const;
    const name = defineEndpoint({ ...common, id: 'a', path: '/v1/a', output: z.string() });
    const text = defineEndpoint({ ...common, id: 'b', path: '/v1/b', response: 'text' });
    mock.serve(name, () => ({ body: 'Ada' }));
    mock.serve(text, () => ({ body: 'Ada' }));
    expect(await get('/v1/a')).toBe('"Ada"');
    expect(await get('/v1/b')).toBe('Ada');
  });

  it('have typed parameters, inputs and responses', async () => {
    const { mock } = await start();
    // @ts-expect-error the path has no such parameter
    mock.serve('GET', '/v1/a/{id}', ({ params }) => ({ body: params.name }));
    // @ts-expect-error the result has a state
    mock.serve(pausePayout, () => ({ body: { status: 'paused' } }));
    // @ts-expect-error the input has no such field
    mock.serve(pausePayout, ({ input }) => ({ body: { state: String(input.name) } }));
    mock.serve(getUser, ({ user }) => ({ body: { id: user?.id ?? '' } }));
    mock.serve(pausePayout, () => ({ status: 409, body: { message: 'paused already' } }));
  });

  it.each([
    ['get', '/v1/a', /method must be one of GET/],
    ['GET', 'v1/a', /path below the base URL/],
    ['GET', '/v1/:id', /placeholders in braces/],
    ['GET', '/v1/a?b=1', /path below the base URL/],
    ['GET', '/v1/{}', /path below the base URL/],
    ['GET', 'https://api.example.com/v1', /path below the base URL/],
  ])('refuse the route %s %s', async (method, path, message) => {
    const { mock } = await start();
    expect(() => mock.serve(method as 'GET', path, () => ({}))).toThrow(message);
  });

  it('refuse a missing handler, an unknown option and anything that is not an endpoint', async () => {
    const { mock } = await start();
    expect(() => mock.serve('GET', '/v1/a', undefined as never)).toThrow(/handler/);
    const options = { credential: [] } as object;
    expect(() => mock.serve('GET', '/v1/a', () => ({}), options)).toThrow(
      /credential is not a known option. Did you mean credentials\?/,
    );
    const wrong = { credentials: ['clientkey' as never] };
    expect(() => mock.serve('GET', '/v1/a', () => ({}), wrong)).toThrow(/must be a list of/);
    for (const given of [undefined, {}, { id: 'a' }, () => ({})]) {
      expect(() => mock.serve(given as never, () => ({}) as never)).toThrow(TypeError);
    }
    expect(() => mock.fail({ id: 'GET /v1/a' }, 500)).toThrow(/no route of that id is served/);
  });
});
