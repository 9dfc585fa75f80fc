import { describe, expect, it } from 'vitest';
import { createMockPlatform, type RequestPattern } from '../../src/testing/index.js';
import { setUp } from './set-up.js';

async function someCalls() {
  const { mock, client } = setUp({
    card: 'ACTIVE',
    wallets: [{ network: 'linea', currency: 'usdc' }],
  });
  await client.card.status();
  await client.card.freeze();
  await client.card.freeze().safe();
  mock.drop('card.unfreeze', 'before-processing');
  await client.card.unfreeze().safe();
  await client.webhooks
    .update({
      id: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
      name: 'Name',
      eventTypes: ['card.authorized', 'card.declined'],
    })
    .safe();
  return mock;
}

describe('the request log of a mock platform', () => {
  it('is an array with the newest request last', async () => {
    const mock = await someCalls();
    expect(mock.requests).toHaveLength(5);
    expect(mock.requests.last?.operation).toBe('webhooks.update');
    expect(createMockPlatform().requests.last).toBeUndefined();
    expect(mock.requests.map(({ status }) => status)).toEqual([200, 200, 400, undefined, 404]);
    expect(mock.requests.filter(Boolean).constructor).toBe(Array);
  });

  it('has no user for a request without a session whose body names one', async () => {
    const { mock, ada } = setUp();
    const send = (path: string) =>
      mock.fetch(`${mock.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          'x-client-key': mock.credentials.clientKey,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ email: ada.email, userId: ada.id, type: 'VIRTUAL' }),
      });
    expect((await send('/v1/card/order')).status).toBe(401);
    expect(mock.requests.last?.userId).toBeUndefined();
    expect((await send('/v1/auth/login/otp')).status).toBe(200);
    expect(mock.requests.last?.userId).toBe(ada.id);
  });

  it.each([
    [{ operation: 'card.freeze' }, 2],
    [{ operation: 'card.freeze', status: 400 }, 1],
    [{ operation: 'card.order' }, 0],
    [{ method: 'GET' }, 1],
    [{ path: '/v1/card/freeze' }, 2],
    [{ path: '/v1/card/free' }, 0],
    [{ path: /^\/v1\/card\// }, 4],
    [{ path: /card/g }, 4],
    [{ path: /\/v1\/card/y }, 4],
    [{ status: undefined }, 1],
    [{ headers: { 'x-client-key': 'mock-client-key' } }, 4],
    [{ headers: { 'x-client-key': 'another' } }, 0],
    [{ body: { name: 'Name' } }, 1],
    [{ body: { name: 'Nam' } }, 0],
    [{ body: { event_types: ['card.authorized', 'card.declined'] } }, 1],
    [{ body: { event_types: ['card.authorized'] } }, 0],
    [{ body: { eventTypes: ['card.authorized'] } }, 0],
    [{}, 5],
  ] as const)('finds the requests that match %o', async (pattern, count) => {
    expect((await someCalls()).requests.matching(pattern)).toHaveLength(count);
  });

  it('returns the only request that matches', async () => {
    const mock = await someCalls();
    expect(mock.requests.only({ operation: 'card.freeze', status: 400 }).path).toBe(
      '/v1/card/freeze',
    );
  });

  it('counts every request, also with a pattern that the caller has used before', async () => {
    const mock = await someCalls();
    const path = /freeze/g;
    path.test('/v1/card/freeze');
    const { lastIndex } = path;
    expect(mock.requests.matching({ path, method: 'POST' })).toHaveLength(3);
    expect(() => mock.requests.only({ path: /card\/freeze$/g })).toThrow('several requests match');
    expect(path.lastIndex).toBe(lastIndex);
  });

  it('lists the received requests without secrets when none or several match', async () => {
    const mock = await someCalls();
    const came =
      'received: card.status 200, card.freeze 200, card.freeze 400, card.unfreeze without a response, webhooks.update 404';
    expect(() => mock.requests.only({ operation: 'card.order' })).toThrow(
      `no request matches; ${came}`,
    );
    expect(() => mock.requests.only({ operation: 'card.freeze' })).toThrow(
      `several requests match; ${came}`,
    );
    expect(() => createMockPlatform().requests.only({})).toThrow('received: none');
  });

  it('accepts only existing endpoint ids', () => {
    const mock = createMockPlatform();
    // @ts-expect-error a misspelled id does not compile
    const misspelled: RequestPattern = { operation: 'card.freezer' };
    const message =
      'requests.matching: "card.freezer" is not an endpoint id. The nearest is "card.freeze"';
    expect(() => mock.requests.matching(misspelled)).toThrow(new TypeError(message));
    expect(() => mock.requests.only(misspelled)).toThrow(new TypeError(message));
    expect(mock.requests.matching({ operation: 'card.freeze' })).toEqual([]);
    expect(mock.requests.matching({ operation: 'auth.oauth.refresh' })).toEqual([]);
  });
});
