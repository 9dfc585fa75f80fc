import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { isSessionOver, Payouts } from './payout.js';

// A partner's test: an app (`payout.ts`) against the platform in memory. No server, no network, and
// time that moves only when the test says so. Run it with `npx vitest run examples/vitest-kit`.
const mock = createMockPlatform();
afterEach(() => mock.reset());

const WITHDRAWAL = { operation: 'wallets.credit.withdraw' } as const;

/** A user with 100 USDC to pay out, and an own wallet that it goes to. */
function setScene() {
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
    const { payouts, balance } = setScene();
    expect(await payouts.pay('40')).toBe('sent');
    expect(balance()).toBe('60');
    expect(mock.requests.only(WITHDRAWAL)).toMatchObject({ status: 200, body: { amount: '40' } });
  });

  it('is refused where there is too little', async () => {
    const { payouts, balance } = setScene();
    expect(await payouts.pay('100.01')).toBe('not enough');
    expect(balance()).toBe('100');
  });

  it('is locked when its answer was lost, although the money has moved', async () => {
    const { payouts, balance } = setScene();
    mock.drop('wallets.credit.withdraw', 'after-processing');
    expect(await payouts.pay('40')).toBe('being checked');
    expect(await payouts.pay('40')).toBe('being checked');
    expect(balance()).toBe('60');
    expect(mock.requests.only(WITHDRAWAL).status).toBeUndefined();
  });

  it('is locked when the service breaks', async () => {
    const { payouts, balance } = setScene();
    mock.fail('wallets.credit.withdraw', 500);
    expect(await payouts.pay('40')).toBe('being checked');
    expect(balance()).toBe('100');
    expect(mock.requests.only(WITHDRAWAL).status).toBe(500);
  });

  it('can be tried again where nothing was sent', async () => {
    const { payouts } = setScene();
    mock.drop('wallets.credit.withdraw', 'refused', { times: 3 });
    expect(await payouts.pay('40')).toBe('try again');
    expect(await payouts.pay('40')).toBe('sent');
  });
});

it('a session ends after six hours', async () => {
  const { client } = setScene();
  mock.advance('5 hours');
  expect((await client.wallets.credit.get()).balance).toBe('100');
  mock.advance('1 hour');
  const { error } = await client.wallets.credit.get().safe();
  expect(isSessionOver(error)).toBe(true);
});
