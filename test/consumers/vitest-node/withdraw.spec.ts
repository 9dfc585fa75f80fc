import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { mswHandlers } from 'card-platform-sdk/testing/msw';
import { setupServer } from 'msw/node';
import { afterEach, describe, expect, it } from 'vitest';
import { withdraw } from './withdraw.js';

const platform = createMockPlatform({ baseUrl: 'https://api.example.com' });
const server = setupServer(...mswHandlers(platform));

afterEach(() => {
  server.close();
  platform.reset();
});

function signIn(fetch?: typeof globalThis.fetch) {
  const ada = platform.users.add({
    creditBalance: '40',
    externalWallets: [
      {
        address: '0x52908400098527886E0F7030069857D2E4169EE7',
        network: 'linea',
        currency: 'usdc',
        balance: '0',
        allowance: '0',
      },
    ],
  });
  const { baseUrl, credentials } = platform;
  const client = new CardPlatformClient({ baseUrl, ...credentials, ...(fetch && { fetch }) });
  return { ada, userClient: client.withAccessToken(platform.accessTokenFor(ada)) };
}

describe.each([
  ['the in-memory fetch', () => signIn(platform.fetch)],
  [
    'MSW handlers in Node',
    () => {
      server.listen({ onUnhandledRequest: 'error' });
      return signIn();
    },
  ],
])('a withdrawal with %s', (_access, start) => {
  it('reduces the balance', async () => {
    const { ada, userClient } = start();
    expect(await withdraw(userClient, '15')).toBe('done');
    expect(platform.users.get(ada.id).creditWallet.balance).toBe('25');
  });

  it('is rejected when the balance is too low', async () => {
    const { userClient } = start();
    expect(await withdraw(userClient, '40.01')).toBe('insufficient_balance');
  });

  it('is reported as unknown and sent once when the connection breaks', async () => {
    const { ada, userClient } = start();
    platform.drop('wallets.credit.withdraw', 'after-processing');
    expect(await withdraw(userClient, '15')).toBe('check the history before you try again');
    expect(platform.users.get(ada.id).creditWallet.balance).toBe('25');
    expect(platform.requests.matching({ operation: 'wallets.credit.withdraw' })).toHaveLength(1);
  });
});
