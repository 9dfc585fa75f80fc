import * as react from '@tanstack/react-query';
import * as vue from '@tanstack/vue-query';
import { CardPlatformClient } from '../../src/index.js';
import { createQueries } from '../../src/query/index.js';
import { createMockPlatform } from '../../src/testing/index.js';

export type Library = Pick<
  typeof react,
  'QueryClient' | 'MutationObserver' | 'onlineManager' | 'dehydrate' | 'hydrate'
>;

/**
 * The library as its React and its Vue adapter bring it. They are two versions of the same classes,
 * which TypeScript takes for different ones.
 */
export const LIBRARIES: readonly (readonly [adapter: string, library: Library])[] = [
  ['React', react],
  ['Vue', vue as unknown as Library],
];

/** A user with 1000 USDC on the mock platform, and the user's client and queries. */
export function setUp(user: string | null = 'user-1', region: 'global' | 'us' = 'global') {
  const mock = createMockPlatform();
  const address = '0x52908400098527886E0F7030069857D2E4169EE7';
  const wallet = { address, network: 'linea', currency: 'usdc', balance: '0', allowance: '0' };
  const ada = mock.users.add({ card: 'ACTIVE', creditBalance: '1000', externalWallets: [wallet] });
  const network = { isConnected: true };
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: async (url, init) => {
      if (network.isConnected) return mock.fetch(url, init);
      const code = 'ECONNREFUSED';
      const cause = Object.assign(new Error(`connect ${code}`), { code, syscall: 'connect' });
      throw new TypeError('fetch failed', { cause });
    },
    random: () => 0,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(ada),
  });
  return {
    mock,
    network,
    client,
    ada,
    queries: createQueries({ client, user, region }),
    balance: () => mock.users.get(ada.id).creditWallet.balance,
    withdrawals: () => mock.requests.matching({ operation: 'wallets.credit.withdraw' }),
  };
}

/** The withdrawal as written by a developer who does not know the hazards. */
export function naiveWithdrawal(client: CardPlatformClient) {
  return {
    mutationFn: async (input: { amount: string }) => client.wallets.credit.withdraw(input),
  };
}

/** Waits until a promise settles, and returns its value or its reason. */
export async function settled(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch((error: unknown) => error);
}
