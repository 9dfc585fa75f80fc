import { describe, expect, it } from 'vitest';
import type { ChainConfig } from '../../../src/contract/delegation.js';
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

const LINEA = {
  network: 'Linea',
  chainId: '59144',
  delegationContract: EVM_SPENDER,
  tokens: { usdc: { symbol: 'USDC', decimals: 6, address: USDC_ON_LINEA } },
};
const SOLANA = {
  network: 'solana',
  chainId: '101',
  delegationContract: SOLANA_SPENDER,
  tokens: { usdc: { symbol: 'USDC', decimals: 6, address: USDC_ON_SOLANA } },
};

/** A chain configuration of the US with spenders of its own. */
const usChainConfig = { networks: [LINEA, SOLANA] };

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

/** The US configuration with another linea. */
function usWith(changes: Partial<NonNullable<ChainConfig['networks']>[number]>) {
  return { networks: [{ ...LINEA, ...changes }, SOLANA] };
}

const EURC = { symbol: 'EURC', decimals: 6, address: '0x00000000000000000000000000000000000e04c0' };

it('has the tokens that only one environment has', async () => {
  const usdc = { symbol: 'USDC', decimals: 6, address: USDC_ON_LINEA };
  const options = { usChainConfig: usWith({ tokens: { usdc, eurc: EURC } }) };
  const { ada, wallet, linea, delegateOnLinea } = await setUpIn('us', options);
  expect(linea.currencies).toEqual(['usdc', 'usdt', 'eurc']);
  expect(linea.tokenOf('eurc')).toEqual({ address: EURC.address, decimals: 6 });
  expect((await delegateOnLinea('chain-config')).registration).toBe('accepted');
  expect(linea.allowance('usdc', wallet.evm.address, EVM_SPENDER)).toBe(UNITS);
  expect(ada.externalWallets).toHaveLength(1);
});

describe('a network that only one environment has', () => {
  const others = { networks: [{ ...LINEA, network: 'other', chainId: '7' }] };

  it.each([
    ['us', { usChainConfig: others }, 'usSpender'],
    ['global', { chainConfig: { networks: [] }, usChainConfig }, 'spender'],
  ] as const)('has no spender in the other (%s), which refuses its proofs', async (environment, options, own) => {
    const { ada, linea, delegateOnLinea } = await setUpIn(environment, options);
    const other = own === 'spender' ? linea.usSpender : linea.spender;
    expect(linea[own]).toBe('');
    const error = await catchError(delegateOnLinea(other));
    expect(error).toMatchObject(refusal('Transaction approves another spender'));
    expect(ada.externalWallets).toEqual([]);
  });

  it('has the spender of its environment as the default', () => {
    const platform = createMockPlatform({ chainConfig: others, usChainConfig });
    const linea = mockChains(platform).evm('linea');
    linea.setAllowance('usdc', EVM_SPENDER, 5n);
    expect(linea.allowance('usdc', EVM_SPENDER)).toBe(5n);
    expect(linea.allowance('usdc', EVM_SPENDER, linea.usSpender)).toBe(5n);
  });
});

describe('chains of which the environments name different', () => {
  const usdc = (changes: object) => ({
    tokens: { usdc: { symbol: 'USDC', decimals: 6, address: USDC_ON_LINEA, ...changes } },
  });

  it.each([
    ['chain ids', usWith({ chainId: '59145' }), /linea.*chainId/],
    ['addresses', usWith(usdc({ address: EURC.address })), /usdc on linea/],
    ['decimals', usWith(usdc({ decimals: 18 })), /usdc on linea/],
  ])('%s are refused, because a mock chain has one', (_title, config, message) => {
    const platform = createMockPlatform({ usChainConfig: config });
    expect(() => mockChains(platform)).toThrow(message);
  });

  it.each([
    ['chain id', usWith({ chainId: '0xe708' })],
    ['address', usWith(usdc({ address: USDC_ON_LINEA.toLowerCase() }))],
  ])('spellings of the same %s are accepted', (_title, config) => {
    const platform = createMockPlatform({ usChainConfig: config });
    expect(mockChains(platform).evm('linea').usSpender).toBe(EVM_SPENDER);
  });

  it('mints of Solana are refused, also with the same letters in another case', () => {
    const tokens = { usdc: { symbol: 'USDC', decimals: 6, address: USDC_ON_SOLANA.toLowerCase() } };
    const config = { networks: [LINEA, { ...SOLANA, tokens }] };
    const platform = createMockPlatform({ usChainConfig: config });
    expect(() => mockChains(platform)).toThrow(/usdc on solana/i);
  });
});

it('has a chain for a network that only the US has', () => {
  const chainConfig = { networks: [{ ...LINEA, network: 'ethereum', chainId: '1' }] };
  const chains = mockChains(createMockPlatform({ chainConfig, usChainConfig }));
  expect(chains.evm('ethereum')).toMatchObject({ spender: EVM_SPENDER, usSpender: '' });
  expect(chains.evm('linea').usSpender).toBe(EVM_SPENDER);
  expect(chains.solana.usDelegate).toBe(SOLANA_SPENDER);
});

it('has no chain where the configuration lists no networks', () => {
  const none = { networks: null };
  const chains = mockChains(createMockPlatform({ chainConfig: none, usChainConfig: none }));
  expect(chains.evmChains).toEqual([]);
  expect(chains.solana.usDelegate).toBe('');
});
