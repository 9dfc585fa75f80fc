import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { codeOf, createWebhook, setUp } from './set-up.js';

const HOOK = { name: 'n', url: 'https://hooks.example.com', eventTypes: ['*'], isActive: true };

describe('a card payment on the mock platform', () => {
  it('is paid by the linked wallet, and is in both histories and an event', async () => {
    const { mock, ada, client } = setUp({
      card: 'ACTIVE',
      wallets: [{ balance: '50' }, { balance: '20', isLinked: true }],
    });
    await client.webhooks.create(HOOK);
    const payment = mock.cards.pay(ada, { amount: '3.50', merchant: 'Bakery' });
    expect(payment).toMatchObject({ status: 'CONFIRMED', declineReason: null });
    expect(ada.internalWallets.map(({ balance }) => balance)).toEqual(['50', '16.5']);
    expect(await client.card.transactions()).toMatchObject([
      { merchantNameLocation: 'Bakery', sign: 'DEBIT', amountInTransactionCurrency: '3.50' },
    ]);
    const walletId = ada.internalWallets[1]?.id ?? '';
    const wallet = { walletId, walletType: 'INTERNAL', walletCurrency: 'usdc' } as const;
    expect(await client.wallets.history.list(wallet)).toEqual([
      {
        name: 'Bakery',
        amount: '3.50',
        currency: 'usdc',
        sign: 'debit',
        date: '2026-01-01T00:00:00.000Z',
      },
    ]);
    expect(mock.deliveries.map(({ eventType }) => eventType)).toEqual(['transaction.cleared']);
  });

  it('is declined while the card is frozen, with its entry and its event', async () => {
    const { mock, ada, client } = setUp({
      card: 'ACTIVE',
      wallets: [{ balance: '9', isLinked: true }],
    });
    await client.webhooks.create(HOOK);
    await client.card.freeze();
    mock.cards.pay(ada, { amount: '3.50' });
    expect(await client.card.transactions()).toMatchObject([
      { status: 'DECLINED', declineReason: 'Card is frozen', fundingSources: [] },
    ]);
    expect(ada.internalWallets[0]?.balance).toBe('9');
    expect(mock.deliveries.map(({ eventType }) => eventType)).toEqual(['transaction.declined']);
    await client.card.unfreeze();
    expect(mock.cards.pay(ada, { amount: '3.50' })).toMatchObject({ status: 'CONFIRMED' });
  });

  it.each([
    ['BLOCKED', 'Card is blocked'],
    ['PENDING', 'Card is pending'],
    ['INACTIVE', 'Card is inactive'],
  ] as const)('is declined while the card is %s', (card, declineReason) => {
    const { mock, ada } = setUp({ card });
    const payment = mock.cards.pay(ada, { amount: '1' });
    expect(payment).toMatchObject({ status: 'DECLINED', declineReason });
  });

  it('is paid by one wallet as a whole, and declined when none covers it', () => {
    const { mock, ada } = setUp({
      card: 'ACTIVE',
      creditBalance: '0',
      wallets: [
        { balance: '5', isLinked: true },
        { balance: '5', isLinked: true },
        { balance: '90' },
      ],
    });
    expect(mock.cards.pay(ada, { amount: '5.01' })).toMatchObject({
      status: 'DECLINED',
      declineReason: 'Insufficient balance',
    });
    expect(mock.cards.pay(ada, { amount: '5' })).toMatchObject({ status: 'CONFIRMED' });
    expect(ada.internalWallets.map(({ balance }) => balance)).toEqual(['0', '5', '90']);
  });

  it('takes nothing from a credit wallet that the user does not have', () => {
    const { mock, ada } = setUp({
      card: 'ACTIVE',
      hasCreditWallet: false,
      creditBalance: '5',
    });
    expect(mock.cards.pay(ada, { amount: '5' })).toMatchObject({
      status: 'DECLINED',
      declineReason: 'Insufficient balance',
    });
    ada.hasCreditWallet = true;
    expect(mock.cards.pay(ada, { amount: '5' })).toMatchObject({ status: 'CONFIRMED' });
  });

  it('takes from the balance and the limit of the own wallet', () => {
    const own = {
      address: '0x1',
      currency: 'usdc',
      balance: '50',
      allowance: '10',
      network: 'linea',
    };
    const { mock, ada } = setUp({ card: 'ACTIVE', creditBalance: '0', externalWallets: [own] });
    expect(mock.cards.pay(ada, { amount: '10.5' })).toMatchObject({ status: 'DECLINED' });
    mock.cards.pay(ada, { amount: '4' });
    expect(ada.externalWallets).toMatchObject([{ balance: '46', allowance: '6' }]);
  });

  it.each(['0', '-1', '1e3', ''])('of the amount "%s" is refused', (amount) => {
    const { mock, ada } = setUp({ card: 'ACTIVE' });
    expect(() => mock.cards.pay(ada, { amount })).toThrow('amount must be');
    expect(() => mock.cards.pay(mock.users.add(), { amount: '1' })).toThrow('has no card');
  });
});

describe('the filters of card transactions on the mock platform', () => {
  async function withPayments() {
    const { mock, ada, platform: appClient } = setUp({ card: 'ACTIVE' });
    mock.cards.pay(ada, { amount: '1', merchant: 'Bakery' });
    mock.advance('1 day');
    mock.cards.pay(ada, { amount: '2', merchant: 'Railway', mccCategory: 'TRAVEL' });
    mock.advance('1 day');
    mock.cards.pay(ada, { amount: '3', merchant: 'Cinema', mccCategory: 'ENTERTAINMENT' });
    const client = appClient.withAccessToken(mock.accessTokenFor(ada));
    const namesOf = async (input: Parameters<typeof client.card.transactions>[0]) =>
      (await client.card.transactions(input)).map(({ merchantNameLocation: name }) => name);
    return { namesOf };
  }

  it.each([
    [{}, ['Cinema', 'Railway', 'Bakery']],
    [{ searchKey: 'RAIL' }, ['Railway']],
    [{ searchKey: 'nothing' }, []],
    [{ mccCategories: 'FOOD,TRAVEL' }, ['Railway', 'Bakery']],
    [{ mccCategories: 'FOOD, TRAVEL' }, ['Railway', 'Bakery']],
    [{ dateFrom: '2026-01-02', dateTo: '2026-01-03' }, ['Cinema', 'Railway']],
    [{ dateFrom: '2026-01-01', dateTo: '2026-01-02', mccCategories: 'FOOD' }, ['Bakery']],
    [{ searchKey: 'rail', page: 3 }, ['Railway']],
  ])('%j find %j', async (input, names) => {
    const { namesOf } = await withPayments();
    expect(await namesOf(input)).toEqual(names);
  });
});

it('a card payment on the mock platform takes no currency other than a stablecoin', () => {
  const wallets = [{ network: 'solana', currency: 'sol', balance: '50', isLinked: true }];
  const { mock, ada } = setUp({ card: 'ACTIVE', wallets });
  expect(mock.cards.pay(ada, { amount: '5' })).toMatchObject({ status: 'CONFIRMED' });
  expect([ada.internalWallets[0]?.balance, ada.creditWallet.balance]).toEqual(['50', '95']);
});

it('a verification on the mock platform takes ten minutes', () => {
  const { mock, ada } = setUp({ verified: false });
  mock.completeVerification(ada, 'VERIFIED', { processing: 'later' });
  mock.advance(599_999);
  expect(ada.verificationState).toBe('PENDING');
  mock.advance(1);
  expect(ada.verificationState).toBe('VERIFIED');
});

it('added transactions come before those of the mock platform that are there', async () => {
  const { mock, ada, client } = setUp();
  const walletId = ada.creditWallet.id;
  const facts = { amount: '1', currency: 'usdc', sign: 'debit', date: '2026-01-01' } as const;
  mock.addTransactions(ada, walletId, [
    { name: 'second', ...facts },
    { name: 'first', ...facts },
  ]);
  mock.addTransactions(ada, walletId, [{ name: 'third', ...facts }]);
  const history = await client.wallets.history.list({ walletId, walletType: 'CREDIT' });
  expect(history.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
});

describe('a deposit on the mock platform', () => {
  it('raises the balance and is in the history', async () => {
    const { mock, ada, client } = setUp({ hasCreditWallet: false, wallets: [{}] });
    mock.wallets.deposit(ada, ada.creditWallet.id, '25.5');
    expect((await client.wallets.credit.get()).balance).toBe('25.5');
    const [wallet] = ada.internalWallets;
    mock.wallets.deposit(ada, wallet?.address ?? '', '7');
    const input = { walletType: 'INTERNAL', walletCurrency: 'usdc' } as const;
    const walletId = wallet?.id ?? '';
    expect(await client.wallets.history.list({ ...input, walletId })).toMatchObject([
      { name: 'Deposit', amount: '7', sign: 'credit' },
    ]);
    expect(wallet?.balance).toBe('7');
    expect(() => mock.wallets.deposit(ada, 'other', '1')).toThrow('no wallet "other"');
    expect(() => mock.wallets.deposit(ada, walletId, '0')).toThrow('amount must be');
  });
});

describe('the history of a wallet on the mock platform', () => {
  it('is shown for its own type and currency only', async () => {
    const { mock, ada, client } = setUp({ wallets: [{}] });
    mock.wallets.deposit(ada, ada.creditWallet.id, '1');
    const walletId = ada.internalWallets[0]?.id ?? '';
    mock.wallets.deposit(ada, walletId, '1');
    const credit = ada.creditWallet.id;
    const count = async (input: Parameters<typeof client.wallets.history.list>[0]) =>
      (await client.wallets.history.list(input)).length;
    expect(await count({ walletId: credit, walletType: 'CREDIT' })).toBe(1);
    expect(await count({ walletId: credit, walletType: 'REWARD' })).toBe(0);
    expect(await count({ walletId, walletType: 'CREDIT' })).toBe(0);
    expect(await count({ walletId, walletType: 'INTERNAL', walletCurrency: 'usdc' })).toBe(1);
    expect(await count({ walletId, walletType: 'INTERNAL', walletCurrency: 'usdt' })).toBe(0);
    const { transactions } = ada;
    transactions['reward-1'] = transactions[credit] ?? [];
    expect(await count({ walletId: 'reward-1', walletType: 'REWARD' })).toBe(1);
  });
});

describe('a user without permission on the mock platform', () => {
  it('gets 403 from a call with a token, and keeps the session', async () => {
    const { ada, client } = setUp({ card: 'ACTIVE', isLinked: false });
    const { error } = await client.card.freeze().safe();
    expect(error).toMatchObject({ status: 403, serverMessage: 'Not authorized' });
    ada.isLinked = true;
    expect(await codeOf(client.card.freeze())).toBe('ok');
  });
});

it('an order of a product without payment config has none', async () => {
  const { mock, client } = setUp();
  mock.state.products.push({
    id: 'gift',
    description: 'Gift card',
    isEligible: true,
    hasPaymentConfig: false,
  });
  const order = await client.orders.create({
    productId: 'gift',
    paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
  });
  expect(Object.keys(order).sort()).toEqual(['orderId', 'requestId']);
  expect((await client.orders.listProducts())[1]).not.toHaveProperty('hasPaymentConfig');
});

describe('a second tenant on the mock platform', () => {
  function withTenants() {
    const scene = setUp();
    const { name, ...credentials } = scene.mock.tenants.add('acme');
    const bob = scene.mock.users.add({ email: 'ada@example.com', password: 'pass', tenant: name });
    const acme = new CardPlatformClient({
      baseUrl: scene.mock.baseUrl,
      fetch: scene.mock.fetch,
      ...credentials,
      retry: false,
    });
    return { ...scene, bob, acme };
  }

  it('has its own users, even with the same e-mail address', async () => {
    const { ada, bob, platform: appClient, acme } = withTenants();
    const login = { email: 'ada@example.com', password: 'pass' };
    expect((await appClient.auth.login(login)).userId).toBe(ada.id);
    expect((await acme.auth.login(login)).userId).toBe(bob.id);
  });

  it('has its own access tokens', async () => {
    const { mock, bob, platform: appClient, acme } = withTenants();
    const accessToken = mock.accessTokenFor(bob);
    expect(await codeOf(appClient.withAccessToken(accessToken).user.get())).toBe(
      'not_authenticated',
    );
    expect((await acme.withAccessToken(accessToken).user.get()).id).toBe(bob.id);
  });

  it('has its own webhooks, which get the events of its users only', async () => {
    const { mock, bob, client, acme } = withTenants();
    const theirs = acme.withAccessToken(mock.accessTokenFor(bob));
    const ours = await createWebhook(client, HOOK);
    const other = await createWebhook(theirs, HOOK);
    expect((await client.webhooks.list()).map(({ id }) => id)).toEqual([ours.id]);
    expect(await codeOf(theirs.webhooks.get({ id: ours.id }))).toBe('webhook_not_found');
    await theirs.card.order({ type: 'VIRTUAL' });
    mock.advance('3 seconds');
    expect(mock.deliveries.map(({ webhookId }) => webhookId)).toEqual([other.id]);
  });

  it('has a name and credentials that no other tenant has', () => {
    const { mock } = withTenants();
    expect(() => mock.tenants.add('acme')).toThrow('another tenant has this name');
    const { clientKey } = mock.credentials;
    expect(() => mock.tenants.add('other', { clientKey })).toThrow(
      'another tenant has this clientKey',
    );
    expect(() => mock.users.add({ tenant: 'nobody' })).toThrow('no tenant "nobody"');
  });
});

it('a user of the mock platform is found, or not, without an error', () => {
  const { mock, ada } = setUp();
  expect(mock.users.find(ada.email)).toBe(ada);
  expect(mock.users.find('nobody@example.com')).toBeUndefined();
});
