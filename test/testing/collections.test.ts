import { describe, expect, it } from 'vitest';
import { isSolanaAddress } from '../../src/contract/formats/base58.js';
import type { MockCollection } from '../../src/testing/index.js';
import { CONSENT, createWebhook, setUp } from './set-up.js';

type Lookup = Iterable<object> & Pick<MockCollection<object>, 'get' | 'find' | 'has' | 'size'>;

/** Creates one more of everything that is searched by a key, and returns its key. */
async function setUpCollections() {
  const { mock, ada, platform: appClient, client } = setUp({ card: 'ACTIVE' });
  const { orderId } = await client.orders.create({
    productId: mock.state.products[0]?.id ?? '',
    paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
  });
  const webhook = await createWebhook(client, {
    name: 'Events',
    url: 'https://app.example/hooks',
    eventTypes: ['*'],
  });
  const { consentSetId } = await appClient.consent.createOnboarding(CONSENT);
  mock.tenants.add('acme');
  const keys = {
    users: ada.email,
    orders: orderId,
    webhooks: webhook.id,
    consentSets: consentSetId,
    tenants: 'acme',
  };
  return { mock, ada, keys };
}

describe.each([
  'users',
  'orders',
  'webhooks',
  'consentSets',
  'tenants',
] as const)('mock.%s', (name) => {
  async function setUpCollection() {
    const { mock, keys } = await setUpCollections();
    const collection: Lookup = mock[name];
    return { collection, key: keys[name] };
  }

  it('finds an item by its key', async () => {
    const { collection, key } = await setUpCollection();
    const found = collection.get(key);
    expect(JSON.stringify(found)).toContain(key);
    expect(collection.find(key)).toBe(found);
    expect(collection.has(key)).toBe(true);
  });

  it('returns undefined from find, and throws from get, for a key that does not exist', async () => {
    const { collection } = await setUpCollection();
    expect(collection.find('nothing')).toBeUndefined();
    expect(collection.has('nothing')).toBe(false);
    expect(() => collection.get('nothing')).toThrow(/^there is no .* "nothing" on this platform$/);
  });

  it('has a size, and can be iterated', async () => {
    const { collection, key } = await setUpCollection();
    expect([...collection]).toHaveLength(collection.size);
    expect([...collection]).toContain(collection.get(key));
  });
});

it('mock.users finds a user by id as well, and shows changes of the state', async () => {
  const { mock, ada } = await setUpCollections();
  expect(mock.users.get(ada.id)).toBe(mock.users.get(ada.email));
  mock.reset();
  expect([mock.users.size, mock.orders.size, mock.webhooks.size]).toEqual([0, 0, 0]);
});

describe('the wallets of a new user', () => {
  it('are USDC on linea with nothing in them by default', () => {
    const { mock } = setUp();
    const { internalWallets, externalWallets } = mock.users.add({
      wallets: [{}],
      externalWallets: [{}],
    });
    const usdc = { network: 'linea', currency: 'usdc', balance: '0' };
    expect(internalWallets).toMatchObject([usdc]);
    expect(externalWallets).toMatchObject([{ ...usdc, allowance: '0' }]);
    expect(externalWallets[0]?.address).toMatch(/^0x[0-9a-f]{40}$/);
  });

  it('have addresses of their network, each of their own', () => {
    const { mock } = setUp();
    const { externalWallets } = mock.users.add({
      externalWallets: [{ network: 'solana' }, { network: 'solana' }, {}, { address: '0x1' }],
    });
    const [first = '', second = '', , given] = externalWallets.map(({ address }) => address);
    expect([first, second].map(isSolanaAddress)).toEqual([true, true]);
    expect(first).not.toBe(second);
    expect(given).toBe('0x1');
  });

  it('pay by card within the given allowance', () => {
    const { mock } = setUp();
    const user = mock.users.add({
      card: 'ACTIVE',
      creditBalance: '0',
      externalWallets: [{ balance: '50', allowance: '20' }],
    });
    expect(mock.cards.pay(user, { amount: '15' })['status']).toBe('CONFIRMED');
    expect(mock.cards.pay(user, { amount: '15' })['status']).toBe('DECLINED');
  });

  it('stand next to a referral of which only some fields are given', () => {
    const { mock } = setUp();
    const { referral } = mock.users.add({ referral: { used: 3 } });
    expect(referral).toMatchObject({ used: 3, cap: 10, code: expect.any(String) });
  });
});
