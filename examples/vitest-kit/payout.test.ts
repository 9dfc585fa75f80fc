import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { isSessionOver, Payouts } from './payout.js';

// A partner's test of an app (`payout.ts`) against the mock platform: no server, no network, and a
// clock that moves only when the test moves it. Run it with `npx vitest run examples/vitest-kit`.
const mock = createMockPlatform();
afterEach(() => mock.reset());

const WITHDRAWAL = { operation: 'wallets.credit.withdraw' } as const;

/** Adds a user with 100 USDC and an external wallet to withdraw to. */
function setUpUser() {
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const wallet = { address, network: 'linea', currency: 'usdc', balance: '0', allowance: '0' };
  const ada = mock.users.add({ creditBalance: '100', externalWallets: [wallet] });
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
  });
  const balance = () => mock.users.get(ada.id).creditWallet.balance;
  return { payouts: new Payouts(client), client, balance };
}

describe('a payout', () => {
  it('is sent once', async () => {
    const { payouts, balance } = setUpUser();
    expect(await payouts.pay('40')).toBe('sent');
    expect(balance()).toBe('60');
    expect(mock.requests.only(WITHDRAWAL)).toMatchObject({ status: 200, body: { amount: '40' } });
  });

  it('is rejected when the balance is too low', async () => {
    const { payouts, balance } = setUpUser();
    expect(await payouts.pay('100.01')).toBe('not enough');
    expect(balance()).toBe('100');
  });

  it('is locked when its response is lost, because the money may have moved', async () => {
    const { payouts, balance } = setUpUser();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    expect(await payouts.pay('40')).toBe('being checked');
    expect(await payouts.pay('40')).toBe('being checked');
    expect(balance()).toBe('60');
    expect(mock.requests.only(WITHDRAWAL).status).toBeUndefined();
  });

  it('is locked when the service responds 500', async () => {
    const { payouts, balance } = setUpUser();
    mock.fail('wallets.credit.withdraw', 500);
    expect(await payouts.pay('40')).toBe('being checked');
    expect(balance()).toBe('100');
    expect(mock.requests.only(WITHDRAWAL).status).toBe(500);
  });

  it('can be tried again when nothing was sent', async () => {
    const { payouts } = setUpUser();
    mock.drop('wallets.credit.withdraw', 'refused', { times: 3 });
    expect(await payouts.pay('40')).toBe('try again');
    expect(await payouts.pay('40')).toBe('sent');
  });
});

it('a session ends after six hours', async () => {
  const { client } = setUpUser();
  mock.advance('5 hours');
  expect((await client.wallets.credit.get()).balance).toBe('100');
  mock.advance('1 hour');
  const { error } = await client.wallets.credit.get().safe();
  expect(isSessionOver(error)).toBe(true);
});
