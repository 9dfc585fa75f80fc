import { describe, expect, it } from 'vitest';
import { createMockPlatform } from '../../src/testing/index.js';
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

describe('the requests of a platform', () => {
  it('are an array, the newest last', async () => {
    const mock = await someCalls();
    expect(mock.requests).toHaveLength(5);
    expect(mock.requests.last?.operation).toBe('webhooks.update');
    expect(createMockPlatform().requests.last).toBeUndefined();
    expect(mock.requests.map(({ status }) => status)).toEqual([200, 200, 400, undefined, 404]);
    expect(mock.requests.filter(Boolean).constructor).toBe(Array);
  });

  it.each([
    [{ operation: 'card.freeze' }, 2],
    [{ operation: 'card.freeze', status: 400 }, 1],
    [{ operation: 'card.order' }, 0],
    [{ method: 'GET' }, 1],
    [{ path: '/v1/card/freeze' }, 2],
    [{ path: '/v1/card/free' }, 0],
    [{ path: /^\/v1\/card\// }, 4],
    [{ status: undefined }, 1],
    [{ headers: { 'x-client-key': 'mock-client-key' } }, 4],
    [{ headers: { 'x-client-key': 'another' } }, 0],
    [{ body: { name: 'Name' } }, 1],
    [{ body: { name: 'Nam' } }, 0],
    [{ body: { event_types: ['card.authorized', 'card.declined'] } }, 1],
    [{ body: { event_types: ['card.authorized'] } }, 0],
    [{ body: { eventTypes: ['card.authorized'] } }, 0],
    [{}, 5],
  ] as const)('that match %o', async (pattern, count) => {
    expect((await someCalls()).requests.matching(pattern)).toHaveLength(count);
  });

  it('give the one that matches', async () => {
    const mock = await someCalls();
    expect(mock.requests.only({ operation: 'card.freeze', status: 400 }).path).toBe(
      '/v1/card/freeze',
    );
  });

  it('say what came when none or several match, and no secret', async () => {
    const mock = await someCalls();
    const came =
      'received: card.status 200, card.freeze 200, card.freeze 400, card.unfreeze broken, webhooks.update 404';
    expect(() => mock.requests.only({ operation: 'card.order' })).toThrow(
      `no request matches; ${came}`,
    );
    expect(() => mock.requests.only({ operation: 'card.freeze' })).toThrow(
      `several requests match; ${came}`,
    );
    expect(() => createMockPlatform().requests.only({})).toThrow('received: none');
  });

  it('take only endpoints that there are', () => {
    const mock = createMockPlatform();
    // @ts-expect-error a typing error in the id is found by the compiler
    expect(mock.requests.matching({ operation: 'card.freezer' })).toEqual([]);
  });
});
