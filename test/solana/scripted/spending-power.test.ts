import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import {
  associatedTokenAccount,
  readSolanaSpendingPower,
  type SolanaSpendingPowerInput,
} from '../../../src/solana/index.js';
import { DELEGATE, MINT, OTHER, TOKEN_2022, TOKEN_PROGRAM } from './cluster.js';
import { OWNER, setUpScene } from './scene.js';

const ENTRY = { address: OWNER, network: 'solana', currency: 'usdc', allowance: '100.5' };

/** The scene with 100.5 of 500 USDC delegated. */
function setUp(program?: string) {
  const scene = setUpScene(program);
  const { cluster } = scene;
  Object.assign(cluster.account, { delegate: DELEGATE, delegated: 100_500_000n });
  const read = (wallets: unknown, changes: Partial<SolanaSpendingPowerInput> = {}) =>
    readSolanaSpendingPower({
      wallets: wallets as readonly unknown[],
      node: cluster.connection,
      spender: DELEGATE,
      runtime: scene.runtime,
      ...changes,
    });
  return { ...scene, read };
}

describe('the spending power of registered Solana wallets', () => {
  it.each([TOKEN_PROGRAM, TOKEN_2022])('is read with one request: %s', async (program) => {
    const { cluster, read } = setUp(program);
    const { wallets, leftOut } = await read([ENTRY]);
    expect(wallets).toEqual([
      {
        address: OWNER,
        currency: 'usdc',
        tokenAccount: cluster.account.address,
        delegate: DELEGATE,
        cap: '100.5',
        limit: '100.5',
        balance: '500',
        spendable: '100.5',
        reason: undefined,
      },
    ]);
    expect(leftOut).toEqual([]);
    expect(cluster.calls.map(({ method }) => method)).toEqual(['getMultipleAccountsInfo']);
  });

  it.each([
    [40_500_000n, 440_000_000n, '40.5'],
    [40_500_000n, 9n, '0.000009'],
    [7n, 7n, '0.000007'],
    [0n, 9n, '0'],
  ])('is the smaller of limit and balance: %s, %s', async (delegated, balance, spendable) => {
    const { cluster, read } = setUp();
    Object.assign(cluster.account, { delegated, balance });
    expect((await read([ENTRY])).wallets).toMatchObject([{ spendable }]);
  });

  it.each<[string, object, object]>([
    ['other-delegate', { delegate: OTHER }, { limit: '0', balance: '500', delegate: OTHER }],
    ['other-delegate', { delegate: undefined }, { limit: '0', balance: '500', delegate: null }],
    ['frozen', { state: 2 }, { limit: '100.5', balance: '500' }],
    ['frozen', { state: 2, delegate: OTHER }, { limit: '0' }],
    ['no-token-account', { exists: false }, { limit: '0', balance: '0', delegate: null }],
    ['no-token-account', { state: 0 }, { limit: '0', balance: '0' }],
  ])('is zero: %s %o', async (reason, change, expected) => {
    const { cluster, read } = setUp();
    Object.assign(cluster.account, change);
    expect((await read([ENTRY])).wallets).toMatchObject([{ ...expected, spendable: '0', reason }]);
  });

  it.each([
    ['100.5', '100.5'],
    [' 100.5 ', '100.5'],
    [100.5, '100.5'],
    [7n, '7'],
    ['0x5FD8220', '100.5'],
    ['0x', undefined],
    ['unlimited', undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [-1, undefined],
    [{}, undefined],
  ])('keeps the limit %s of the service as %s', async (allowance, cap) => {
    const { read } = setUp();
    const wallet = { address: OWNER, network: 'SOLANA', currency: 'USDC', allowance };
    expect((await read([wallet])).wallets).toMatchObject([{ cap, spendable: '100.5' }]);
  });

  it.each<[string, unknown]>([
    ['not-solana', null],
    ['not-solana', 5],
    ['not-solana', {}],
    ['not-solana', { ...ENTRY, network: 'linea' }],
    ['not-solana', { address: '0x52908400098527886E0F7030069857D2E4169EE7', currency: 'usdc' }],
    ['invalid-address', { ...ENTRY, address: 'not base58' }],
    ['invalid-address', { ...ENTRY, address: undefined }],
    ['unknown-currency', { ...ENTRY, currency: 'eurc' }],
    ['unknown-currency', { ...ENTRY, currency: 5 }],
    // This cluster has no such mint.
    ['unreadable', { ...ENTRY, currency: 'usdt' }],
  ])('leaves out as %s: %o', async (reason, wallet) => {
    const { read } = setUp();
    const { wallets, leftOut } = await read([wallet, { ...ENTRY, network: null }]);
    expect(leftOut).toEqual([{ wallet, reason }]);
    expect(leftOut[0]?.wallet).toBe(wallet);
    expect(wallets).toMatchObject([{ address: OWNER, spendable: '100.5' }]);
  });

  it('leaves out a currency whose mint has other decimals than the caller says', async () => {
    const { read } = setUp();
    const tokens = { usdc: { mint: MINT, decimals: 9 } };
    expect(await read([ENTRY], { tokens })).toMatchObject({
      wallets: [],
      leftOut: [{ reason: 'wrong-decimals' }],
    });
  });

  it('reads a currency that the caller adds, in any spelling', async () => {
    const { read } = setUp();
    const tokens = { EURC: { mint: MINT, decimals: 6, programAddress: TOKEN_PROGRAM } };
    expect((await read([{ ...ENTRY, currency: 'eurc' }], { tokens })).wallets).toMatchObject([
      { currency: 'eurc', spendable: '100.5' },
    ]);
  });

  // Each of these wallets has two accounts, one for each token program; the mint is one more.
  it.each([
    [49, [99]],
    [50, [100, 1]],
    [100, [100, 100, 1]],
  ])('of %i wallets asks for %j accounts', async (count, sizes) => {
    const { cluster, read } = setUp();
    const wallets = Array.from({ length: count }, () => ({
      ...ENTRY,
      address: Keypair.generate().publicKey.toBase58(),
    }));
    // One that is listed twice is read once.
    const found = await read([...wallets, wallets[0]]);
    expect(found.wallets).toHaveLength(count + 1);
    const asked = cluster.calls.map(({ params }) => (params[0] as string[]).length);
    expect(asked).toEqual(sizes);
    const [all] = cluster.calls.map(({ params }) => params[0] as string[]);
    const owner = wallets[0]?.address ?? '';
    expect(all).toContain(associatedTokenAccount({ owner, mint: MINT }));
  });

  it('asks no node for no wallets', async () => {
    const { cluster, read } = setUp();
    expect(await read([])).toEqual({ wallets: [], leftOut: [] });
    expect(cluster.calls).toEqual([]);
  });

  it('reads one account at a time where the connection can do no more', async () => {
    const { cluster, read } = setUp();
    const { getAccountInfo } = cluster.connection;
    const { wallets } = await read([ENTRY], { node: { getAccountInfo } });
    expect(wallets).toMatchObject([{ spendable: '100.5' }]);
    expect(cluster.countOf('getAccountInfo')).toBe(3);
  });

  it('reads again for five seconds, and then ends with chain_unreadable', async () => {
    const { cluster, read, clock } = setUp();
    const { connection } = cluster;
    const works = connection.getMultipleAccountsInfo;
    connection.getMultipleAccountsInfo = () => {
      connection.getMultipleAccountsInfo = works;
      return Promise.reject(new Error('429'));
    };
    expect((await read([ENTRY])).wallets).toHaveLength(1);
    connection.getMultipleAccountsInfo = () => Promise.reject(new Error('500'));
    await expect(read([ENTRY])).rejects.toMatchObject({ code: 'chain_unreadable' });
    expect(clock.waits).toEqual(Array(6).fill(1_000));
  });

  it.each<[string, object]>([
    ['wallets', { wallets: 'text' }],
    ['node', { node: {} }],
    ['spender', { spender: 'x' }],
    ['tokens.usdc.mint', { tokens: { usdc: { mint: 'x', decimals: 6 } } }],
    ['decimals', { tokens: { usdc: { mint: MINT, decimals: '6' } } }],
    ['programAddress', { tokens: { usdc: { mint: MINT, decimals: 6, programAddress: OTHER } } }],
    ['readTimeout', { readTimeout: -1 }],
    ['commitment', { commitment: 'certain' }],
  ])('refuses an invalid %s before the node is asked', async (path, changes) => {
    const { cluster, read } = setUp();
    await expect(read([], changes)).rejects.toMatchObject({ issues: [{ path }] });
    expect(cluster.calls).toEqual([]);
  });
});
