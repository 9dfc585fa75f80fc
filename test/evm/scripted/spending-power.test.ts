import { describe, expect, it } from 'vitest';
import { type EvmSpendingPowerOptions, readEvmSpendingPower } from '../../../src/evm/index.js';
import { SPENDER, TOKEN } from './chain.js';
import { OWNER, setUpScene } from './scene.js';

const ENTRY = {
  address: OWNER.toLowerCase(),
  network: 'linea',
  currency: 'usdc',
  allowance: '100.5',
};
const UNLIMITED = 2n ** 256n - 1n;

function setUp() {
  const scene = setUpScene();
  const { chain } = scene;
  chain.firstAllowance = 100_500_000n;
  chain.tokenBalance = 500_000_000n;
  const read = (wallets: unknown, changes: Partial<EvmSpendingPowerOptions> = {}) =>
    readEvmSpendingPower({
      wallets: wallets as EvmSpendingPowerOptions['wallets'],
      node: chain,
      spender: SPENDER,
      runtime: scene.runtime,
      ...changes,
    });
  return { ...scene, read };
}

describe('the spending power of registered EVM wallets', () => {
  it('is the smaller of limit and balance', async () => {
    const { read } = setUp();
    expect(await read([ENTRY])).toEqual({
      wallets: [
        {
          address: OWNER,
          network: 'linea',
          currency: 'usdc',
          token: TOKEN,
          spender: SPENDER,
          decimals: 6,
          cap: '100.5',
          limit: '100.5',
          isUnlimited: false,
          balance: '500',
          spendable: '100.5',
          spent: '0',
        },
      ],
      leftOut: [],
    });
  });

  it.each([
    [40_500_000n, 440_000_000n, { limit: '40.5', spendable: '40.5', spent: '60' }],
    [40_500_000n, 9n, { limit: '40.5', spendable: '0.000009', spent: '60' }],
    [0n, 9n, { spendable: '0', spent: '100.5' }],
    // More than the cap is left: nothing of it is spent.
    [100_500_001n, 9n, { spent: '0' }],
    [UNLIMITED, 9n, { isUnlimited: true, spendable: '0.000009', spent: '0' }],
    [UNLIMITED / 2n + 1n, 9n, { isUnlimited: true }],
    [UNLIMITED / 2n, 9n, { isUnlimited: false }],
  ])('of the limit %s and the balance %s', async (limit, balance, expected) => {
    const { chain, read } = setUp();
    chain.firstAllowance = limit;
    chain.tokenBalance = balance;
    expect((await read([ENTRY])).wallets).toMatchObject([expected]);
  });

  it.each([
    ['100.5', '100.5'],
    [' 100.5 ', '100.5'],
    [100.5, '100.5'],
    ['0x5FD8220', '100.5'],
    ['0x1', '0.000001'],
    [
      `0x${'f'.repeat(64)}`,
      '115792089237316195423570985008687907853269984665640564039457584007913129.639935',
    ],
    [`0x${'f'.repeat(65)}`, undefined],
    ['100.50000099', '100.5'],
    ['7', '7'],
    ['unlimited', undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [-1, undefined],
    [{}, undefined],
  ])('keeps the limit %j of the service as %j', async (allowance, cap) => {
    const { read } = setUp();
    const [found] = (await read([{ ...ENTRY, allowance }])).wallets;
    expect(found?.cap).toBe(cap);
    expect(found?.spent === undefined).toBe(cap === undefined);
  });

  it('uses the cap that the caller has kept, where there is one', async () => {
    const { chain, read } = setUp();
    chain.firstAllowance = 40_000_000n;
    const [kept] = (await read([ENTRY], { capOf: () => '200' })).wallets;
    expect(kept).toMatchObject({ cap: '200', spent: '160' });
    const [listed] = (await read([ENTRY], { capOf: () => undefined })).wallets;
    expect(listed).toMatchObject({ cap: '100.5', spent: '60.5' });
  });

  it.each<[string, unknown, Partial<EvmSpendingPowerOptions>]>([
    ['not-evm', null, {}],
    ['not-evm', { ...ENTRY, address: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM' }, {}],
    ['unknown-asset', { ...ENTRY, network: 'base' }, {}],
    ['unknown-asset', { ...ENTRY, network: undefined }, {}],
    ['unknown-asset', { ...ENTRY, currency: 'eurc' }, {}],
    ['no-spender', ENTRY, { spender: { ethereum: SPENDER } }],
    ['other-chain', { ...ENTRY, network: 'ethereum' }, {}],
  ])('leaves out as %s: case %#', async (reason, wallet, changes) => {
    const { read } = setUp();
    const { wallets, leftOut } = await read([wallet], changes);
    expect(wallets).toEqual([]);
    expect(leftOut).toMatchObject([{ reason }]);
    if (wallet !== null) expect(leftOut[0]?.wallet).toEqual(wallet);
  });

  it('leaves out a token that does not respond, and reads the others', async () => {
    const { chain, read } = setUp();
    const usdt = '0xA219439258ca9da29E9Cc4cE5596924745e12B93';
    chain.script('eth_call', ([call], usual) => {
      const { to } = call as { to?: string };
      if (to?.toLowerCase() === usdt.toLowerCase()) return '0x';
      return usual();
    });
    const { wallets, leftOut } = await read([{ ...ENTRY, currency: 'USDT' }, ENTRY]);
    expect(leftOut).toMatchObject([{ reason: 'unreadable' }]);
    expect(wallets).toMatchObject([{ spendable: '100.5' }]);
  });

  it('reads networks and currencies that the caller adds, with a spender for each', async () => {
    const { chain, read } = setUp();
    const networks = {
      base: { chainId: 59_144, tokens: { eurc: { address: TOKEN, decimals: 2 } } },
    };
    const wallet = { ...ENTRY, network: 'BASE', currency: 'EURC' };
    const { wallets } = await read([wallet], {
      networks,
      spender: { Base: SPENDER.toLowerCase() },
    });
    expect(wallets).toMatchObject([
      { network: 'base', currency: 'eurc', decimals: 2, limit: '1005000', spender: SPENDER },
    ]);
    expect(chain.calls.length).toBeGreaterThan(0);
  });

  /** Reads so many wallets, and returns the programs with which the node was asked. */
  async function programsFor(count: number): Promise<string[]> {
    const { chain, read } = setUp();
    const programs: string[] = [];
    chain.script('eth_call', ([call], usual) => {
      const { to, data } = call as { to?: string; data: string };
      if (to === undefined) programs.push(data);
      return usual();
    });
    const { wallets } = await read(Array.from({ length: count }, () => ENTRY));
    expect(wallets).toHaveLength(count);
    return programs;
  }

  it.each([
    [150, 1],
    [151, 2],
    [300, 2],
  ])('asks for %i wallets at once with %i programs', async (count, expected) => {
    expect(await programsFor(count)).toHaveLength(expected);
  });

  it('asks for no more at once than nodes accept: a program of 48 KiB, a result of 24 KiB', async () => {
    const programs = await programsFor(301);
    expect(programs.map((data) => (data.length - 2) / 2 <= 48 * 1024)).toEqual([true, true, true]);
    // The last bytes before the calldata return the result: PUSH3 of its size, PUSH1 0, RETURN.
    const sizes = programs.map((data) => Number(`0x${/62([0-9a-f]{6})6000f3/.exec(data)?.[1]}`));
    expect(sizes.every((size) => size > 0 && size <= 24 * 1024)).toBe(true);
  });

  it('reads once more, half a second after a failure', async () => {
    const { chain, clock, read } = setUp();
    let hasFailed = false;
    chain.script('eth_chainId', (_, usual) => {
      if (hasFailed) return usual();
      hasFailed = true;
      throw new Error('429');
    });
    expect((await read([ENTRY])).wallets).toHaveLength(1);
    expect(clock.waits).toEqual([500]);
  });

  it('reads nothing for no wallets', async () => {
    const { chain, read } = setUp();
    expect(await read([])).toEqual({ wallets: [], leftOut: [] });
    expect(chain.calls).toEqual([]);
  });

  it.each<[string, object]>([
    ['wallets', { wallets: 'text' }],
    ['spender', { spender: 'x' }],
    ['spender.linea', { spender: { linea: 'x' } }],
    ['node', { node: {} }],
    ['readTimeout', { readTimeout: 1.5 }],
  ])('refuses an invalid %s before the node is asked', async (path, changes) => {
    const { chain, read } = setUp();
    await expect(read([ENTRY], changes)).rejects.toMatchObject({ issues: [{ path }] });
    expect(chain.calls).toEqual([]);
  });
});
