import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainConfig } from '../../src/contract/delegation.js';
import { evmNetworksFromChainConfig, findEvmToken } from '../../src/evm/index.js';
import { createMockPlatform } from '../../src/testing/index.js';

const SPENDER = '0x9D85ca56217D2bb651b00f15e694EB7E713637D4';
const TOKEN = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const base = (changes: object = {}, token: object = {}) => ({
  network: 'base',
  chainId: '8453',
  delegationContract: SPENDER,
  tokens: { usdc: { symbol: 'USDC', decimals: 6, address: TOKEN, ...token } },
  ...changes,
});
const read = (...networks: unknown[]) =>
  evmNetworksFromChainConfig({ networks } as unknown as ChainConfig);

describe('the EVM networks of the chain configuration', () => {
  it('are those of the service, as data for the option networks', async () => {
    const { state } = createMockPlatform();
    const found = await evmNetworksFromChainConfig(state.chainConfig);
    expect(Object.keys(found.networks)).toEqual(['linea', 'ethereum']);
    expect(found.networks['ethereum']).toEqual({
      chainId: 1,
      tokens: {
        usdc: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
        usdt: {
          address: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
          decimals: 6,
          approvesOnlyFromZero: true,
        },
      },
    });
    expect(found.spenders['linea']).toBe('0x00000000000000000000000000000000000de1e9');
    expect(found.additions).toEqual({ evmNetworks: [], delegationCurrencies: [] });
    expect(found.skipped).toEqual([
      { network: 'solana', reason: 'has no contract with an EVM address' },
    ]);
  });

  it('include networks and tokens that no list names, with what the client must accept', async () => {
    const monad = base({
      network: 'monad',
      chainId: 143,
      tokens: { MUSD: { decimals: '18', address: TOKEN }, aUSDC: { decimals: 6, address: TOKEN } },
    });
    const { networks, spenders, additions, skipped } = await read(base(), monad);
    expect(findEvmToken({ network: 'monad', currency: 'musd', networks })).toEqual({
      chainId: 143,
      token: { address: TOKEN, decimals: 18 },
    });
    expect(spenders).toEqual({ base: SPENDER, monad: SPENDER });
    expect(additions).toEqual({
      evmNetworks: ['base', 'monad'],
      delegationCurrencies: ['musd', 'aUSDC'],
    });
    expect(skipped).toEqual([]);
  });

  it.each([
    ['decimal text', '8453'],
    ['a number', 8453],
    ['hex', '0x2105'],
    ['hex in capitals', '0X2105'],
    ['CAIP-2', 'eip155:8453'],
    ['a text with blanks', ' 8453 '],
  ])('may have their chain id as %s', async (_, chainId) => {
    const { networks } = await read(base({ chainId }));
    expect(networks['base']?.chainId).toBe(8453);
  });

  it.each([
    [6, 6],
    ['6', 6],
    [' 18 ', 18],
    [0, 0],
  ])('may have decimals such as %j', async (decimals, expected) => {
    const { networks } = await read(base({}, { decimals }));
    expect(networks['base']?.tokens['usdc']?.decimals).toBe(expected);
  });

  it.each([
    ['lower case', TOKEN.toLowerCase()],
    ['upper case', `0x${TOKEN.slice(2).toUpperCase()}`],
    ['EIP-55', TOKEN],
  ])('may have addresses in %s', async (_, address) => {
    const { networks } = await read(base({ delegationContract: address }, { address }));
    expect(networks['base']?.tokens['usdc']?.address).toBe(TOKEN);
  });

  it.each([
    ['has no name', base({ network: null })],
    ['has no name', base({ network: 'a b' })],
    ['has no EVM chain id', base({ chainId: null })],
    ['has no EVM chain id', base({ chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' })],
    ['has no EVM chain id', base({ chainId: 0 })],
    ['has no EVM chain id', base({ chainId: 1.5 })],
    ['has no contract with an EVM address', base({ delegationContract: undefined })],
    ['has no contract with an EVM address', base({ delegationContract: `0x${'0'.repeat(40)}` })],
    ['has no token that can be used', base({ tokens: null })],
    ['has no valid value for decimals', base({}, { decimals: 37 })],
    ['has no valid value for decimals', base({}, { decimals: '6.0' })],
    ['has no valid value for decimals', base({}, { decimals: null })],
    ['has no valid value for an EVM address', base({}, { address: 'EPjFWdd5' })],
    ['has no valid value for an EVM address', base({}, { address: TOKEN.replace('fC', 'Fc') })],
    ['has no name', 'not an object'],
  ])('that cannot be used are skipped: %s', async (reason, entry) => {
    const { networks, skipped } = await read(entry);
    expect(networks).toEqual({});
    expect(skipped.map((one) => one.reason)).toContain(reason);
  });

  it('have names of up to 32 characters', async () => {
    const [longest, longer] = ['n'.repeat(32), 'n'.repeat(33)];
    const { networks, skipped } = await read(base({ network: longest }), base({ network: longer }));
    expect(Object.keys(networks)).toEqual([longest]);
    expect(skipped).toHaveLength(1);
    expect(JSON.stringify(skipped)).not.toContain(longer);
  });

  it('keep the other tokens of a network when one cannot be used', async () => {
    const tokens = { ...base().tokens, eure: { address: TOKEN }, weth: null };
    const { networks, skipped } = await read(base({ tokens }));
    expect(Object.keys(networks['base']?.tokens ?? {})).toEqual(['usdc']);
    expect(skipped.map(({ currency }) => currency)).toEqual(['eure', 'weth']);
  });

  it('that are named twice are merged if they agree, and left out if not', async () => {
    const other = { musd: { decimals: 18, address: TOKEN } };
    const merged = await read(base(), base({ network: 'BASE', tokens: other }));
    expect(Object.keys(merged.networks['base']?.tokens ?? {})).toEqual(['usdc', 'musd']);
    for (const changes of [{ chainId: '84532' }, { delegationContract: TOKEN }]) {
      const { networks, spenders, skipped } = await read(base(), base(changes));
      expect(networks).toEqual({});
      expect(spenders).toEqual({});
      expect(skipped).toEqual([
        { network: 'base', reason: 'is named twice, with another chain or contract' },
      ]);
    }
  });

  it('never fail, and every one found passes findEvmToken', async () => {
    const value = fc.oneof(
      fc.anything(),
      fc.constantFrom('8453', 1, '0x1', 6, '6', TOKEN, SPENDER),
    );
    const token = fc.record({ decimals: value, address: value }, { requiredKeys: [] });
    const tokens = fc.oneof(value, fc.dictionary(fc.string(), token));
    const network = fc.record(
      {
        network: fc.oneof(value, fc.constant('base')),
        chainId: value,
        delegationContract: value,
        tokens,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.anything(), network)), async (list) => {
        const { networks } = await evmNetworksFromChainConfig({ networks: list } as ChainConfig);
        for (const [name, { tokens: found }] of Object.entries(networks)) {
          for (const currency of Object.keys(found)) {
            expect(findEvmToken({ network: name, currency, networks }).chainId).toBeGreaterThan(0);
          }
        }
      }),
    );
  });
});
