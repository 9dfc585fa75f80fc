import { describe, expect, it } from 'vitest';
import { delegateEvm } from '../../../src/evm/index.js';
import { delegateSolana } from '../../../src/solana/index.js';
import { createMockPlatform, type MockPlatformOptions } from '../../../src/testing/index.js';
import { createMockWallet, mockChains } from '../../../src/testing/wallets/index.js';
import { catchError } from './support.js';

const UNITS = 100_500_000n;
const USDC_ON_LINEA = '0x176211869cA2b568f2A7D4EE941E073a821EE1ff';
const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const EVM_SPENDER = '0x00000000000000000000000000000000000000a1';
const SOLANA_SPENDER = 'Us1egate11111111111111111111111111111111112';

/** A chain configuration of the US with spenders of its own. */
const usChainConfig = {
  networks: [
    {
      network: 'Linea',
      chainId: '59144',
      delegationContract: EVM_SPENDER,
      tokens: { usdc: { symbol: 'USDC', decimals: 6, address: USDC_ON_LINEA } },
    },
    {
      network: 'solana',
      chainId: '101',
      delegationContract: SOLANA_SPENDER,
      tokens: { usdc: { symbol: 'USDC', decimals: 6, address: USDC_ON_SOLANA } },
    },
  ],
};

/** A user of an environment with a wallet, and what both flows need. */
async function setUpIn(environment: 'us' | 'global', options: MockPlatformOptions = {}) {
  const mock = createMockPlatform(options);
  const ada = mock.users.add({ environment });
  const wallet = await createMockWallet({ platform: mock });
  const { solana, runtime } = wallet.chains;
  const linea = wallet.chains.evm('linea');
  const shared = {
    client: mock.clientFor(ada),
    currency: 'usdc',
    amount: '100.5',
    domain: 'app.example',
    uri: 'https://app.example',
    runtime,
  } as const;
  return {
    ada,
    wallet,
    linea,
    solana,
    delegateOnLinea: (spender: string) =>
      delegateEvm({
        ...shared,
        wallet: wallet.evm,
        node: linea,
        network: 'linea',
        spender,
        confirmSpender: () => true,
      }),
    delegateOnSolana: (spender: string) =>
      delegateSolana({ ...shared, wallet: wallet.solana, node: solana, spender }),
  };
}

describe('a delegation of a user in the US with a mock wallet', () => {
  it('approves the spender of the US on an EVM chain', async () => {
    const { ada, wallet, linea, delegateOnLinea } = await setUpIn('us');
    expect((await delegateOnLinea('chain-config')).registration).toBe('accepted');
    expect(linea.usSpender).not.toBe(linea.spender);
    expect(linea.allowance('usdc', wallet.evm.address, linea.usSpender)).toBe(UNITS);
    expect(linea.allowance('usdc', wallet.evm.address)).toBe(0n);
    expect(ada.externalWallets).toMatchObject([{ address: wallet.evm.address }]);
  });

  it('approves the delegate of the US on Solana', async () => {
    const { ada, wallet, solana, delegateOnSolana } = await setUpIn('us');
    expect(solana.usDelegate).not.toBe(solana.delegate);
    expect((await delegateOnSolana(solana.usDelegate)).registration).toBe('accepted');
    expect(await solana.delegation('usdc', wallet.solana.address)).toEqual({
      delegate: solana.usDelegate,
      delegatedAmount: UNITS,
    });
    expect(ada.externalWallets).toMatchObject([{ address: wallet.solana.address }]);
  });

  it('approves the spenders of `usChainConfig`', async () => {
    const { ada, linea, solana, delegateOnLinea, delegateOnSolana } = await setUpIn('us', {
      usChainConfig,
    });
    expect([linea.usSpender, solana.usDelegate]).toEqual([EVM_SPENDER, SOLANA_SPENDER]);
    await delegateOnLinea('chain-config');
    await delegateOnSolana(SOLANA_SPENDER);
    expect(ada.externalWallets).toHaveLength(2);
  });
});

const refusal = (message: string) => ({ status: 422, fieldErrors: [{ field: 'txHash', message }] });

describe('a proof for the other environment', () => {
  it.each(['us', 'global'] as const)('is refused on an EVM chain (%s)', async (environment) => {
    const { ada, linea, delegateOnLinea } = await setUpIn(environment);
    const other = environment === 'us' ? linea.spender : linea.usSpender;
    const error = await catchError(delegateOnLinea(other));
    expect(error).toMatchObject(refusal('Transaction approves another spender'));
    expect(ada.externalWallets).toEqual([]);
  });

  it.each(['us', 'global'] as const)('is refused on Solana (%s)', async (environment) => {
    const { ada, solana, delegateOnSolana } = await setUpIn(environment);
    const other = environment === 'us' ? solana.delegate : solana.usDelegate;
    const error = await catchError(delegateOnSolana(other));
    expect(error).toMatchObject(refusal('Transaction approves another delegate'));
    expect(ada.externalWallets).toEqual([]);
  });
});

it('has a chain for a network that only the US has', () => {
  const [linea] = usChainConfig.networks;
  const chainConfig = { networks: [{ ...linea, network: 'ethereum', chainId: '1' }] };
  const chains = mockChains(createMockPlatform({ chainConfig, usChainConfig }));
  expect(chains.evm('ethereum').usSpender).toBe(EVM_SPENDER);
  expect(chains.evm('linea').usSpender).toBe(EVM_SPENDER);
  expect(chains.solana.usDelegate).toBe(SOLANA_SPENDER);
});

it('has no chain where the configuration lists no networks', () => {
  const none = { networks: null };
  const chains = mockChains(createMockPlatform({ chainConfig: none, usChainConfig: none }));
  expect(chains.evmChains).toEqual([]);
  expect(chains.solana.usDelegate).toBe('');
});
