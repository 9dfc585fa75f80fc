import { describe, expect, it } from 'vitest';
import { createMockPlatform, type Duration } from '../../src/testing/index.js';
import { codeOf, setUp } from './set-up.js';

describe('the clock of a mock platform', () => {
  it.each([
    ['1 millisecond', 1],
    ['2 seconds', 2_000],
    ['1.5 minutes', 90_000],
    ['6 hours', 21_600_000],
    ['1 day', 86_400_000],
    [42, 42],
    [0, 0],
  ] as [Duration, number][])('advances by %s', (duration, ms) => {
    const mock = createMockPlatform();
    const before = mock.now;
    mock.advance(duration);
    expect(mock.now - before).toBe(ms);
  });

  it.each([
    'ten minutes',
    '10',
    '10 weeks',
    '-1 second',
    -5,
    Number.NaN,
  ])('rejects the duration %s', (duration) => {
    expect(() => createMockPlatform().advance(duration as Duration)).toThrow(/not a duration/);
  });
});

describe('the planned faults of a mock platform', () => {
  it('fail a request as often as planned', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.status', 503, { times: 2, headers: { 'retry-after': '1' } });
    expect(await codeOf(client.card.status())).toBe('server_error');
    const { error } = await client.card.status().safe();
    expect(error).toMatchObject({ retryAfterMs: 1000 });
    expect(await codeOf(client.card.status())).toBe('ok');
  });

  it('respond with the planned body and headers', async () => {
    const { mock, client } = setUp();
    mock.fail('*', 400, { body: { message: 'Card is already frozen' } });
    expect(await codeOf(client.card.freeze())).toBe('card_already_frozen');
    mock.fail('card.status', 502, { body: '<html>' });
    expect(await codeOf(client.card.status())).toBe('server_error');
  });

  it('apply one after the other', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.status', 500);
    mock.fail('card.status', 403);
    expect(await codeOf(client.card.status())).toBe('server_error');
    expect(await codeOf(client.card.status())).toBe('not_authorized');
  });

  it.each([
    ['before-processing', 'ACTIVE', 'unknown'],
    ['after-processing', 'FROZEN', 'unknown'],
    ['refused', 'ACTIVE', 'not_sent'],
  ] as const)('drop the connection %s', async (moment, status, outcome) => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    mock.drop('card.freeze', moment);
    const { error } = await client.card.freeze().safe();
    expect(error).toMatchObject({ name: 'ConnectionError', outcome });
    expect(mock.users.get(ada.id).card?.status).toBe(status);
    expect(mock.requests.at(-1)?.status).toBeUndefined();
  });

  it('accept an undocumented status only with isUndocumented', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.status', { status: 418, isUndocumented: true });
    expect((await client.card.status().safe()).error).toMatchObject({ status: 418 });
    // @ts-expect-error: the contract does not document 418
    mock.fail('card.status', 418);
    mock.reset();
  });

  it('can respond 200 with success: false', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.fail('card.freeze', { success: false });
    expect((await client.card.freeze().safe()).error).toMatchObject({
      name: 'OperationRejectedError',
    });
  });

  it('are rejected for an unknown endpoint id', () => {
    expect(() => createMockPlatform().fail('card.freze' as never, 500)).toThrow(
      /is not an endpoint id/,
    );
    expect(() => createMockPlatform().drop('x' as never, 'refused')).toThrow(
      /is not an endpoint id/,
    );
  });
});

describe('a new user of a mock platform', () => {
  it('has the given verification, card and wallets', async () => {
    const { client, mock, ada } = setUp({
      verified: false,
      card: 'PENDING',
      wallets: [{ network: 'linea', currency: 'usdc', balance: '50.5', isLinked: true }],
    });
    expect((await client.user.get()).verificationState).toBe('UNVERIFIED');
    mock.advance('1 hour');
    expect((await client.card.status()).status).toBe('PENDING');
    mock.cards.provision(ada);
    expect((await client.card.status()).status).toBe('ACTIVE');
    expect(await client.wallets.internal.list()).toMatchObject([{ balance: '50.5' }]);
    expect(await client.wallets.internal.listLinked()).toHaveLength(1);
  });
});

it('a new user has lists of its own, which other users and tests do not share', async () => {
  const given = { cardTransactions: [{ id: 't1' }], linkedWallets: ['w1'], orders: [] };
  const { mock, ada, client } = setUp({ card: 'ACTIVE', ...given });
  mock.cards.pay(ada, { amount: '3.50' });
  await client.orders.create({ productId: 'metal-card', paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' });
  ada.linkedWallets.push('w2');
  expect(ada.cardTransactions).toHaveLength(2);
  expect(ada.orders).toHaveLength(1);
  expect(given).toEqual({ cardTransactions: [{ id: 't1' }], linkedWallets: ['w1'], orders: [] });
  expect(mock.users.add(given)).toMatchObject(given);
});

describe('the state of a mock platform', () => {
  it('is cleared by reset', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    const fresh = createMockPlatform().users.add();
    mock.advance('1 day');
    mock.fail('card.status', 500);
    await client.card.status().safe();
    mock.reset();
    expect(mock.requests).toEqual([]);
    expect(mock.now).toBe(createMockPlatform().now);
    expect(mock.users.add()).toEqual(fresh);
  });

  it('has the chain configuration of its options again after a reset', () => {
    const networks = (delegationContract: string) => [{ network: 'linea', delegationContract }];
    const chainConfig = { networks: networks('0x1') };
    const usChainConfig = { networks: networks('0x2') };
    const mock = createMockPlatform({ chainConfig, usChainConfig });
    Object.assign(mock.state.chainConfig, { networks: [] });
    Object.assign(mock.state.usChainConfig ?? {}, { networks: [] });
    mock.reset();
    expect(mock.state).toMatchObject({
      chainConfig: { networks: networks('0x1') },
      usChainConfig: { networks: networks('0x2') },
    });
  });

  it('can be saved in a snapshot and restored', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    const before = mock.snapshot();
    await client.card.freeze();
    mock.advance('1 hour');
    mock.restore(before);
    expect(mock.users.get(ada.id).card?.status).toBe('ACTIVE');
    expect(mock.now).toBe(before.now);
    expect(await codeOf(client.card.freeze())).toBe('ok');
    mock.restore(before);
    expect(mock.users.get(ada.email).card?.status).toBe('ACTIVE');
  });

  it('throws for an unknown user', () => {
    expect(() => createMockPlatform().users.get('nobody')).toThrow(/no user "nobody"/);
  });

  it('contains each request with its body and status', async () => {
    const { mock, client } = setUp();
    await client.wallets.credit.withdraw({ amount: '1' }).safe();
    expect(mock.requests).toMatchObject([
      {
        operation: 'wallets.credit.withdraw',
        method: 'POST',
        path: '/v1/wallet/credit/withdraw',
        body: { amount: '1' },
        status: 400,
      },
    ]);
  });
});

describe('the latency of a mock platform', () => {
  it('ends when the caller aborts', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.setLatency(60_000);
    const controller = new AbortController();
    const call = client.card.status({ signal: controller.signal });
    const reason = new Error('enough');
    setImmediate(() => controller.abort(reason));
    await expect(call).rejects.toBe(reason);
  });

  it('delays a response', async () => {
    const { mock, client } = setUp({ card: 'ACTIVE' });
    mock.setLatency(1);
    expect(await codeOf(client.card.status())).toBe('ok');
  });
});

describe('invalid input to a mock platform', () => {
  it('is rejected with an error for each field', async () => {
    const { mock, ada } = setUp();
    const headers = {
      'x-client-key': mock.credentials.clientKey,
      authorization: `Bearer ${mock.accessTokenFor(ada)}`,
      'content-type': 'application/json',
    };
    const url = `${mock.baseUrl}/v1/wallet/internal/withdraw`;
    const body = JSON.stringify({ amount: 5, recipientAddrss: '' });
    const response = await mock.fetch(url, { method: 'POST', headers, body });
    expect(response.status).toBe(422);
    const { errors } = (await response.json()) as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['amount', 'recipientAddrss', 'sourceAddress', 'currency']),
    );
  });

  it('is rejected with 422 when it is not JSON', async () => {
    const { mock } = setUp();
    const headers = {
      'x-client-key': mock.credentials.clientKey,
      'content-type': 'application/json',
    };
    const url = `${mock.baseUrl}/v1/auth/login`;
    const response = await mock.fetch(url, { method: 'POST', headers, body: '{"email":' });
    expect(response.status).toBe(422);
  });
});
