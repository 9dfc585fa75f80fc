import { describe, expect, it } from 'vitest';
import { readSolanaSpendingPower, type SolanaSpendingPowerInput } from '../../src/solana/index.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';
import { someAddress } from './support/scene.js';

/** The scene after a delegation of 100.5 of 500 USDC. */
async function setUpDelegated() {
  const scene = await setUpNodeScene();
  await scene.runDelegation();
  scene.node.requests.length = 0;
  return scene;
}

const readAll = (scene: NodeScene, wallets: readonly unknown[], changes: object = {}) =>
  readSolanaSpendingPower({
    wallets,
    node: scene.connection,
    spender: scene.delegate,
    tokens: { usdc: { mint: scene.mint.address, decimals: 6 } },
    ...changes,
  });

const read = async (...input: Parameters<typeof readAll>) => (await readAll(...input)).wallets;

describe('the spending power of registered Solana wallets', () => {
  it('is the smaller of the limit and the balance, read with one request', async () => {
    const scene = await setUpDelegated();
    const wallets = await scene.client.wallets.external.list();
    const [found] = await read(scene, wallets);
    expect(found).toEqual({
      address: scene.address,
      currency: 'usdc',
      tokenAccount: scene.tokenAccount,
      delegate: scene.delegate,
      cap: '100.5',
      limit: '100.5',
      balance: '500',
      spendable: '100.5',
      reason: undefined,
    });
    expect(scene.node.requests.map(({ method }) => method)).toEqual(['getMultipleAccounts']);
    const { vm, platformKey, tokenAccount, mint } = scene;
    await vm.spend(platformKey, tokenAccount, mint, 60_000_000n);
    expect(await read(scene, wallets)).toMatchObject([
      { cap: '100.5', limit: '40.5', balance: '440', spendable: '40.5' },
    ]);
    vm.changeAccount(tokenAccount, (data) => data.fill(0, 64, 72).fill(9, 64, 65));
    expect(await read(scene, wallets)).toMatchObject([
      { cap: '100.5', limit: '40.5', balance: '0.000009', spendable: '0.000009' },
    ]);
  });

  it('is zero for another delegate, a frozen account and a wallet without one', async () => {
    const scene = await setUpDelegated();
    const wallets = await scene.client.wallets.external.list();
    expect(await read(scene, wallets, { spender: someAddress() })).toMatchObject([
      { limit: '0', balance: '500', spendable: '0', reason: 'other-delegate' },
    ]);
    await scene.vm.freeze(scene.tokenAccount, scene.mint);
    expect(await read(scene, wallets)).toMatchObject([
      { limit: '100.5', spendable: '0', reason: 'frozen' },
    ]);
    const empty = { address: someAddress(), network: 'solana', currency: 'usdc' };
    expect(await read(scene, [empty])).toMatchObject([
      { spendable: '0', cap: undefined, reason: 'no-token-account' },
    ]);
  });

  it.each([
    ['100.5', '100.5'],
    [' 100.5 ', '100.5'],
    [100.5, '100.5'],
    ['0x5FD8220', '100.5'],
    ['unlimited', undefined],
    ['NaN', undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [undefined, undefined],
    [-1, undefined],
    [{}, undefined],
  ])('keeps the limit %j of the service as %j', async (allowance, cap) => {
    const scene = await setUpDelegated();
    const wallet = { address: scene.address, network: 'Solana', currency: 'USDC', allowance };
    expect(await read(scene, [wallet])).toMatchObject([{ cap, spendable: '100.5' }]);
  });

  it('leaves out other networks and invalid entries with the reason, and returns the rest', async () => {
    const scene = await setUpDelegated();
    const { address } = scene;
    const wallets = [
      null,
      5,
      'text',
      {},
      { address, currency: 5 },
      { address: '0x52908400098527886E0F7030069857D2E4169EE7', currency: 'usdc' },
      { address, network: 'linea', currency: 'usdc' },
      { address, currency: 'usdc' },
      { address, network: 'solana', currency: 'eurc' },
      { address: 'not base58', network: 'solana', currency: 'usdc' },
      { address, network: 'solana', currency: 'usdt' },
    ];
    const { wallets: found, leftOut } = await readAll(scene, wallets);
    expect(found).toMatchObject([{ address, spendable: '100.5', reason: undefined }]);
    expect(leftOut.map(({ reason }) => reason)).toEqual([
      ...Array(4).fill('not-solana'),
      'unknown-currency',
      'not-solana',
      'not-solana',
      'unknown-currency',
      'invalid-address',
      'unreadable',
    ]);
    expect(leftOut.at(-1)?.wallet).toBe(wallets.at(-1));
    const tokens = { usdc: { mint: scene.mint.address, decimals: 9 } };
    const other = await readAll(scene, [wallets[7]], { tokens });
    expect(other).toMatchObject({ wallets: [], leftOut: [{ reason: 'wrong-decimals' }] });
  });

  it('asks a node for at most 100 accounts at once, and reads an address once', async () => {
    const scene = await setUpDelegated();
    const others = Array.from({ length: 60 }, () => ({
      address: someAddress(),
      network: 'solana',
      currency: 'usdc',
    }));
    const own = { address: scene.address, network: 'solana', currency: 'usdc' };
    const found = await read(scene, [...others, own, own]);
    expect(found).toHaveLength(62);
    expect(found.at(-1)).toMatchObject({ spendable: '100.5' });
    const asked = scene.node.requests.map(({ params }) => (params?.[0] as string[]).length);
    expect(asked).toEqual([100, 23]);
  });

  it('does not ask the node when no Solana wallet is registered', async () => {
    const scene = await setUpDelegated();
    expect(await read(scene, [])).toEqual([]);
    expect(scene.node.requests).toEqual([]);
  });

  it('works with a connection that reads one account at a time', async () => {
    const scene = await setUpDelegated();
    const wallets = await scene.client.wallets.external.list();
    const connection = scene.vm.connection;
    expect(await read(scene, wallets, { node: connection })).toMatchObject([
      { spendable: '100.5' },
    ]);
  });

  it.each<[string, Partial<Record<keyof SolanaSpendingPowerInput, unknown>>]>([
    ['wallets', { wallets: 'text' }],
    ['node', { node: {} }],
    ['spender', { spender: 'x' }],
    ['tokens.usdc.mint', { tokens: { usdc: { mint: 'x', decimals: 6 } } }],
    ['decimals', { tokens: { usdc: { mint: someAddress(), decimals: '6' } } }],
    ['decimals', { tokens: { usdc: { mint: someAddress(), decimals: Number.NaN } } }],
    ['readTimeout', { readTimeout: -1 }],
    ['commitment', { commitment: 'certain' }],
  ])('refuses an invalid %s before the node is asked', async (path, changes) => {
    const scene = await setUpDelegated();
    await expect(read(scene, [], changes)).rejects.toMatchObject({ issues: [{ path }] });
    expect(scene.node.requests).toEqual([]);
  });

  it('reads again after one failed request, and then ends with chain_unreadable', async () => {
    const scene = await setUpDelegated();
    const wallets = await scene.client.wallets.external.list();
    const { runtime } = scene.options();
    let isFirst = true;
    scene.node.fault = () => {
      if (!isFirst) return undefined;
      isFirst = false;
      return { status: 429 };
    };
    expect(await read(scene, wallets, { runtime })).toMatchObject([{ spendable: '100.5' }]);
    scene.node.fault = () => ({ status: 500 });
    await expect(read(scene, wallets, { runtime })).rejects.toMatchObject({
      code: 'chain_unreadable',
    });
  });
});
