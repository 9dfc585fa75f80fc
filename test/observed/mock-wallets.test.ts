import { describe, expect, it } from 'vitest';
import { setUpObserved } from './support.js';

const PRIORITY = '/v1/wallet/external/priority';
const LINKED = '/v1/wallet/internal/card_linked';
const REWARD = '/v1/wallet/reward';

type Row = { id: number; address: string; priority: number };

describe('the order of external wallets on the mock platform', () => {
  async function withWallets() {
    const scene = await setUpObserved({
      card: 'ACTIVE',
      creditBalance: '0',
      externalWallets: [
        { currency: 'usdc', balance: '50', allowance: '50' },
        { currency: 'usdt', balance: '50', allowance: '50' },
      ],
    });
    const { send, token } = scene;
    const list = async () => (await send(`GET ${PRIORITY}`, { token })).body as unknown as Row[];
    const set = (wallets: unknown) => send(`PUT ${PRIORITY}`, { token, body: { wallets } });
    return { ...scene, list, set };
  }

  it('lists every wallet with a number of this list and a priority', async () => {
    const { ada, list } = await withWallets();
    const [first, second] = ada.externalWallets;
    expect(await list()).toEqual([
      { id: 1001, address: first?.address, currency: 'usdc', network: 'linea', priority: 1 },
      { id: 1002, address: second?.address, currency: 'usdt', network: 'linea', priority: 2 },
    ]);
  });

  it('pays with the wallet whose number is lowest', async () => {
    const { mock, ada, list, set } = await withWallets();
    const [one, other] = await list();
    const given = [
      { id: one?.id, priority: 7 },
      { id: other?.id, priority: 0 },
    ];
    expect(await set(given)).toMatchObject({ status: 200, body: { success: true } });
    expect(await set(given)).toMatchObject({ status: 200 });
    expect((await list()).map(({ id, priority }) => [id, priority])).toEqual([
      [other?.id, 0],
      [one?.id, 7],
    ]);
    mock.cards.pay(ada, { amount: '10' });
    expect(ada.externalWallets.map(({ currency, balance }) => [currency, balance])).toEqual([
      ['usdt', '40'],
      ['usdc', '50'],
    ]);
  });

  it('adds a new wallet at the end', async () => {
    const { ada, list } = await withWallets();
    await list();
    const [first] = ada.externalWallets;
    if (first !== undefined) ada.externalWallets.push({ ...first, address: '0xnew' });
    expect((await list()).map(({ id, priority }) => [id, priority])).toEqual([
      [1001, 1],
      [1002, 2],
      [1003, 3],
    ]);
  });

  it('has a place for each network and currency of one address', async () => {
    const { ada, list, set } = await withWallets();
    const [first] = ada.externalWallets;
    if (first !== undefined) ada.externalWallets.push({ ...first, network: 'ethereum' });
    expect((await list()).map(({ id }) => id)).toEqual([1001, 1002, 1003]);
    const given = [9, 5, 1].map((priority, index) => ({ id: 1001 + index, priority }));
    expect(await set(given)).toMatchObject({ status: 200 });
    expect(ada.externalWallets.map(({ network, currency }) => [network, currency])).toEqual([
      ['ethereum', 'usdc'],
      ['linea', 'usdt'],
      ['linea', 'usdc'],
    ]);
  });

  it.each([
    ['a part of the wallets', [{ id: 1001, priority: 1 }]],
    [
      'a wallet twice',
      [
        { id: 1001, priority: 1 },
        { id: 1001, priority: 2 },
      ],
    ],
    [
      'a priority twice',
      [
        { id: 1001, priority: 1 },
        { id: 1002, priority: 1 },
      ],
    ],
    [
      'an unknown wallet',
      [
        { id: 1001, priority: 1 },
        { id: 7, priority: 2 },
      ],
    ],
    [
      'a negative priority',
      [
        { id: 1001, priority: -1 },
        { id: 1002, priority: 2 },
      ],
    ],
    [
      'an id that is a text',
      [
        { id: '1001', priority: 1 },
        { id: '1002', priority: 2 },
      ],
    ],
    ['nothing', undefined],
  ])('refuses %s with 422', async (_, wallets) => {
    const { list, set } = await withWallets();
    const before = await list();
    expect(await set(wallets)).toMatchObject({
      status: 422,
      body: { message: expect.any(String) },
    });
    expect(await list()).toEqual(before);
  });

  it('refuses a bare array, which an early client sent', async () => {
    const { send, token } = await withWallets();
    const body = [{ id: 1001, priority: 1 }];
    expect((await send(`PUT ${PRIORITY}`, { token, body })).status).toBe(422);
  });
});

describe('the order of linked wallets on the mock platform', () => {
  async function withLinked() {
    const scene = await setUpObserved({
      wallets: [{ isLinked: true }, { isLinked: true }, {}],
    });
    const { send, token, ada } = scene;
    const [one = '', other = ''] = ada.linkedWallets;
    const set = (wallets: unknown) => send(`PUT ${LINKED}/priority`, { token, body: { wallets } });
    const priorities = async () => {
      const { body } = await send(`GET ${LINKED}`, { token });
      return (body as unknown as { priority: number }[]).map(({ priority }) => priority);
    };
    return { ...scene, one, other, set, priorities };
  }

  it('is the order of the list of linked wallets, with the given numbers', async () => {
    const { ada, send, token, one, other, set, priorities } = await withLinked();
    expect(await priorities()).toEqual([0, 1]);
    const given = [
      { addressId: one, priority: 9 },
      { addressId: other, priority: 4 },
    ];
    expect(await set(given)).toMatchObject({ status: 200, body: { success: true } });
    expect(ada.linkedWallets).toEqual([other, one]);
    expect(await priorities()).toEqual([4, 9]);
    const addressId = ada.internalWallets[2]?.addressId;
    await send(`POST ${LINKED}`, { token, body: { addressId } });
    expect(await priorities()).toEqual([4, 9, 10]);
  });

  it('forgets the number of a wallet that is unlinked', async () => {
    const { ada, send, token, one, other, set, priorities } = await withLinked();
    await set([
      { addressId: one, priority: 0 },
      { addressId: other, priority: 1 },
    ]);
    const unlink = (addressId: string) => send(`DELETE ${LINKED}`, { token, body: { addressId } });
    const link = (addressId: string) => send(`POST ${LINKED}`, { token, body: { addressId } });
    await unlink(one);
    await link(one);
    expect(ada.linkedWallets).toEqual([other, one]);
    expect(await priorities()).toEqual([1, 2]);

    await unlink(one);
    const third = ada.internalWallets[2]?.addressId ?? '';
    await link(third);
    await link(one);
    expect(ada.linkedWallets).toEqual([other, third, one]);
    expect(await priorities()).toEqual([1, 2, 3]);
  });

  it('refuses an incomplete list, and a number that occurs twice', async () => {
    const { one, other, set } = await withLinked();
    expect((await set([{ addressId: one, priority: 1 }])).status).toBe(422);
    const twice = [one, other].map((addressId) => ({ addressId, priority: 1 }));
    expect((await set(twice)).status).toBe(422);
  });

  it('is for custodial platforms only', async () => {
    const { mock, set } = await withLinked();
    mock.state.isCustodial = false;
    expect((await set([])).status).toBe(403);
  });
});

describe('the reward wallet of the mock platform', () => {
  it('does not exist until the first reward', async () => {
    const { ada, observed, send, token } = await setUpObserved();
    for (const path of [REWARD, `${REWARD}/withdraw-estimation`]) {
      expect((await send(`GET ${path}`, { token })).status).toBe(404);
    }
    const cashback = () => send('GET /v1/card/cashback', { token });
    expect((await cashback()).body).toEqual({
      amount: '0',
      currency: null,
      network: null,
      ratePercent: '1',
    });
    observed.creditReward(ada, { amount: '2.5' });
    observed.creditReward(ada, { amount: '1' });
    expect((await send(`GET ${REWARD}`, { token })).body).toEqual({
      id: expect.any(String),
      balance: '3.5',
      currency: 'usdc',
      isWithdrawable: true,
      type: 'REWARD',
    });
    expect((await cashback()).body).toMatchObject({ amount: '3.5', currency: 'usdc' });
  });

  it('moves the money of a withdrawal to the own wallet, minus the fee of the estimation', async () => {
    const { ada, observed, send, token } = await setUpObserved({ externalWallets: [{}] });
    observed.creditReward(ada, { amount: '5' });
    const { body: estimation } = await send(`GET ${REWARD}/withdraw-estimation`, { token });
    expect(estimation).toEqual({ wei: expect.any(String), eth: expect.any(String), usdc: '0.1' });
    const withdrawn = await send(`POST ${REWARD}/withdraw`, { token, body: { amount: '2' } });
    expect(withdrawn).toMatchObject({
      status: 200,
      body: { txHash: expect.stringMatching(/^0x/), network: 'linea', confirmed: true },
    });
    expect(ada.externalWallets[0]?.balance).toBe('1.9');
    const { body: wallet } = await send(`GET ${REWARD}`, { token });
    expect(wallet['balance']).toBe('3');
    const history = await send('GET /v1/wallet/history', {
      token,
      query: { walletId: String(wallet['id']), walletType: 'REWARD' },
    });
    expect(history.body).toMatchObject([
      { name: 'Withdrawal', amount: '2', sign: 'debit' },
      { name: 'Reward', amount: '5', sign: 'credit' },
    ]);
    expect((await send('GET /v1/card/cashback', { token })).body['amount']).toBe('5');
  });

  it.each([
    ['an amount of zero', '0', 400, 'amount must be a positive number'],
    ['more than there is', '5.01', 400, 'Insufficient balance'],
    ['less than the fee', '0.05', 400, 'Insufficient balance for withdrawal'],
    ['an amount that is not a number', '1e3', 422, 'Validation failed'],
  ])('refuses %s', async (_, amount, status, message) => {
    const { ada, observed, send, token } = await setUpObserved({ externalWallets: [{}] });
    observed.creditReward(ada, { amount: '5' });
    const refused = await send(`POST ${REWARD}/withdraw`, { token, body: { amount } });
    expect(refused).toMatchObject({ status, body: { message } });
    expect(observed.state.rewardWallets[0]?.balance).toBe('5');
  });

  it('refuses a withdrawal without a wallet, without an own wallet, and while rewards vest', async () => {
    const { mock, ada, observed, send, token } = await setUpObserved();
    const withdraw = () => send(`POST ${REWARD}/withdraw`, { token, body: { amount: '1' } });
    const refusal = (message: string) => ({ status: 400, body: { message } });
    expect((await withdraw()).status).toBe(404);
    observed.creditReward(ada, { amount: '5', isWithdrawable: false });
    expect(await withdraw()).toMatchObject(refusal('Withdrawals are not allowed for this wallet'));
    observed.creditReward(ada, { amount: '5' });
    expect(await withdraw()).toMatchObject(refusal('Withdrawals are not allowed for this wallet'));
    observed.creditReward(ada, { amount: '5', isWithdrawable: true, name: 'Vested' });
    expect(await withdraw()).toMatchObject(refusal('No external wallet registered'));
    expect(mock.requests.every(({ status }) => status !== 200)).toBe(true);
  });

  it.each([
    ['solana', 400],
    ['ethereum', 200],
    ['linea', 200],
  ])('pays on linea, to a user whose only wallet is of %s: %i', async (network, status) => {
    const { ada, observed, send, token } = await setUpObserved({ externalWallets: [{ network }] });
    observed.creditReward(ada, { amount: '5' });
    const body = { amount: '2' };
    expect((await send(`POST ${REWARD}/withdraw`, { token, body })).status).toBe(status);
    expect(observed.state.rewardWallets[0]?.balance).toBe(status === 200 ? '3' : '5');
    expect(ada.externalWallets[0]?.balance).toBe(network === 'linea' ? '1.9' : '0');
  });

  it('moves the money although the response is lost', async () => {
    const { mock, ada, observed, send, token } = await setUpObserved({ externalWallets: [{}] });
    observed.creditReward(ada, { amount: '5' });
    mock.drop('wallets.reward.withdraw', 'after-processing');
    const call = send(`POST ${REWARD}/withdraw`, { token, body: { amount: '1' } });
    await expect(call).rejects.toThrow(TypeError);
    expect(observed.state.rewardWallets[0]?.balance).toBe('4');
  });

  it('refuses a reward that is not above zero, and an unknown option', async () => {
    const { ada, observed } = await setUpObserved();
    expect(() => observed.creditReward(ada, { amount: '0' })).toThrow(TypeError);
    const misspelled = { amount: '1', curency: 'usdc' } as { amount: string };
    expect(() => observed.creditReward(ada, misspelled)).toThrow(/Did you mean currency\?/);
  });
});
