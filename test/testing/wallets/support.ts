import { CardPlatformClient } from '../../../src/index.js';
import { createMockPlatform } from '../../../src/testing/index.js';
import { createMockWallet, type MockWalletOptions } from '../../../src/testing/wallets/index.js';

/** A user with a wallet, and the options that `delegateEvm` and `delegateSolana` need. */
export async function setUpWallet(options: Omit<MockWalletOptions, 'platform'> = {}) {
  const mock = createMockPlatform();
  const user = mock.users.add();
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(user),
  });
  const wallet = await createMockWallet({ platform: mock, ...options });
  const { chains } = wallet;
  const page = { domain: 'app.example', uri: 'https://app.example' };
  const amount = { currency: 'usdc', amount: '100.5' } as const;
  return {
    mock,
    client,
    wallet,
    chains,
    linea: chains.evm('linea'),
    solana: chains.solana,
    registered: () => mock.users.get(user.id).externalWallets,
    evmOptions: {
      client,
      wallet: wallet.evm,
      node: chains.evm('linea'),
      network: 'linea',
      spender: 'chain-config',
      confirmSpender: () => true,
      runtime: chains.runtime,
      ...amount,
      ...page,
    },
    solanaOptions: {
      client,
      wallet: wallet.solana,
      node: chains.solana,
      spender: chains.solana.delegate,
      runtime: chains.runtime,
      ...amount,
      ...page,
    },
  };
}

/** Runs a flow that must fail, and returns its error. */
export async function catchError(flow: Promise<unknown>): Promise<unknown> {
  return flow.then(
    () => {
      throw new Error('the flow did not fail');
    },
    (error: unknown) => error,
  );
}
