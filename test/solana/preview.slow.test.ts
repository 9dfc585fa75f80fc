import { createSolanaRpc } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  buildSolanaApproval,
  previewSolanaDelegation,
  type SolanaDelegationOptions,
  TOKEN_2022_PROGRAM,
} from '../../src/solana/index.js';
import { connectionFromKitRpc, toKitInstruction } from '../../src/solana/kit/index.js';
import { signerOf } from '../chain/local-vm.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';
import { mintOptions, setUpScene, someAddress } from './support/scene.js';

const preview = (scene: NodeScene, changes: Partial<SolanaDelegationOptions> = {}) =>
  previewSolanaDelegation(scene.options({ node: scene.connection, ...changes }));

/** Approves a delegate as the user, as another page would. */
async function approve(scene: NodeScene, delegate: string, amount: bigint): Promise<void> {
  const { address: owner, mint, vm, keypair } = scene;
  const approval = buildSolanaApproval({ ...mintOptions(mint), owner, spender: delegate, amount });
  await vm.send(await signerOf(keypair), [toKitInstruction(approval)]);
}

describe('a preview of a Solana delegation', () => {
  it('shows limits, balances and fee, and does not ask the wallet', async () => {
    const scene = await setUpNodeScene();
    await approve(scene, scene.delegate, 5_500_000n);
    const found = await preview(scene);
    expect(found).toEqual({
      network: 'solana',
      currency: 'usdc',
      owner: scene.address,
      mint: scene.mint.address,
      decimals: 6,
      programAddress: scene.mint.programAddress,
      tokenAccount: scene.tokenAccount,
      hasTokenAccount: true,
      spender: scene.delegate,
      amount: '100.5',
      oldSpender: scene.delegate,
      oldLimit: '5.5',
      tokenBalance: '500',
      estimatedFee: '5000',
      nativeBalance: String(scene.vm.svm.getBalance(scene.address as never)),
      needsFaucet: false,
      dryRun: 'passed',
      problems: [],
    });
    expect(JSON.parse(JSON.stringify(found))).toMatchObject({ amount: '100.5' });
    expect(scene.prompts).toEqual([]);
    expect(scene.mock.requests).toEqual([]);
    expect(scene.vm.sentCount).toBe(0);
    expect(scene.node.requests).toHaveLength(2);
  });

  it.each([
    [{}, '5000'],
    [{ computeUnitPrice: 50_000, computeUnitLimit: 20_000 }, '6000'],
    [{ computeUnitPrice: 1, computeUnitLimit: 1 }, '5001'],
    [{ computeUnitPrice: 1_000_000n }, '208000'],
  ])('with the fees %o estimates %s lamports', async (fees, expected) => {
    const scene = await setUpNodeScene();
    const { estimatedFee, dryRun } = await preview(scene, fees);
    expect(estimatedFee).toBe(expected);
    expect(dryRun).toBe(
      'computeUnitLimit' in fees && fees.computeUnitLimit === 1 ? 'failed' : 'passed',
    );
  });

  it('works with the RPC of @solana/kit, and without a simulation', async () => {
    const scene = await setUpNodeScene();
    const kit = connectionFromKitRpc(createSolanaRpc(scene.node.url));
    expect(await preview(scene, { node: kit })).toEqual(await preview(scene));
    const { simulateTransaction: _, ...without } = kit;
    expect(await preview(scene, { node: without })).toMatchObject({
      dryRun: 'not-run',
      problems: [],
    });
    scene.node.fault = ({ method }) =>
      method === 'simulateTransaction' ? { error: { code: -32601, message: 'no' } } : undefined;
    expect(await preview(scene)).toMatchObject({ dryRun: 'not-run', problems: [] });
  });

  it('reports a balance below the limit, which does not prevent it', async () => {
    const scene = await setUpNodeScene();
    expect(await preview(scene, { amount: '500.000001' })).toMatchObject({
      dryRun: 'passed',
      problems: [{ code: 'balance-below-amount', isBlocking: false }],
    });
    expect(await preview(scene, { amount: '500' })).toMatchObject({ problems: [] });
  });

  it('reports a wallet without SOL also when the connection cannot simulate', async () => {
    const scene = await setUpNodeScene();
    scene.vm.setLamports(scene.address, 0n);
    const { connection } = scene.vm;
    for (const faucet of [undefined, true, false]) {
      expect(await preview(scene, { node: connection, faucet })).toMatchObject({
        dryRun: 'not-run',
        problems: [{ code: 'no-gas', isBlocking: faucet === false }],
      });
    }
  });

  it('finds the token account of a Token-2022 mint', async () => {
    const scene = await setUpScene({}, TOKEN_2022_PROGRAM);
    const found = await previewSolanaDelegation(scene.options());
    expect(found).toMatchObject({
      programAddress: TOKEN_2022_PROGRAM,
      tokenAccount: scene.tokenAccount,
      problems: [],
    });
  });

  it.each<[string, (scene: NodeScene) => void | Promise<void>, object]>([
    [
      'frozen',
      ({ vm, tokenAccount, mint }) => vm.freeze(tokenAccount, mint),
      { problems: [{ code: 'token-account-unusable', reason: 'frozen' }] },
    ],
    [
      'wrong_owner',
      ({ vm, tokenAccount }) => vm.changeAccount(tokenAccount, (data) => data.fill(7, 32, 64)),
      { problems: [{ code: 'token-account-unusable', reason: 'wrong_owner' }] },
    ],
    [
      'wrong_mint',
      ({ vm, tokenAccount }) => vm.changeAccount(tokenAccount, (data) => data.fill(7, 0, 32)),
      { problems: [{ code: 'token-account-unusable', reason: 'wrong_mint' }] },
    ],
    [
      'wrong_decimals',
      ({ vm, mint }) => vm.changeAccount(mint.address, (data) => data.fill(9, 44, 45)),
      { problems: [{ code: 'token-account-unusable', reason: 'wrong_decimals' }] },
    ],
    [
      'delegate_in_use',
      (scene) => approve(scene, someAddress(), 3n),
      { problems: [{ code: 'delegate-in-use' }], oldLimit: '0.000003' },
    ],
    [
      'no SOL',
      ({ vm, address }) => vm.setLamports(address, 0n),
      {
        problems: [{ code: 'no-gas' }],
        dryRun: 'failed',
        nativeBalance: '0',
        needsFaucet: true,
      },
    ],
    [
      'less SOL than the fee',
      ({ vm, address }) => vm.setLamports(address, 4_999n),
      { problems: [{ code: 'no-gas' }], dryRun: 'failed', needsFaucet: true },
    ],
    [
      'less SOL than its rent after the fee',
      ({ vm, address }) => vm.setLamports(address, 890_880n + 4_999n),
      { problems: [{ code: 'no-gas' }], dryRun: 'failed', needsFaucet: true },
    ],
  ])('reports %s as data', async (_, happen, expected) => {
    const scene = await setUpNodeScene();
    await happen(scene);
    expect(await preview(scene)).toMatchObject(expected);
    expect(scene.prompts).toEqual([]);
  });

  it('passes with exactly the fee, or with the fee and the rent', async () => {
    const scene = await setUpNodeScene();
    for (const lamports of [5_000n, 895_880n]) {
      scene.vm.setLamports(scene.address, lamports);
      expect(await preview(scene)).toMatchObject({ dryRun: 'passed', needsFaucet: false });
    }
  });

  it('reports a wallet without a token account, and a mint that is not on the chain', async () => {
    const scene = await setUpNodeScene();
    const empty = scene.vm.newWallet();
    expect(await preview(scene, { wallet: empty })).toMatchObject({
      hasTokenAccount: false,
      tokenBalance: '0',
      oldSpender: null,
      oldLimit: '0',
      dryRun: 'not-run',
      problems: [{ code: 'token-account-unusable', reason: 'not_found' }],
    });
    const token = { mint: someAddress(), decimals: 6 };
    expect(await preview(scene, { token })).toMatchObject({
      problems: [{ code: 'token-account-unusable', reason: 'mint_not_found' }],
    });
  });

  it('refuses invalid input before the node is asked', async () => {
    const scene = await setUpNodeScene();
    for (const changes of [{ amount: '0' }, { amount: 'x' }, { spender: 'x' }, { domain: '' }]) {
      const [path] = Object.keys(changes);
      await expect(preview(scene, changes)).rejects.toMatchObject({
        code: 'request_invalid',
        issues: [{ path }],
      });
    }
    expect(scene.node.requests).toEqual([]);
  });

  it('ends with chain_unreadable when the node fails', async () => {
    const scene = await setUpNodeScene();
    scene.node.fault = () => ({ status: 500 });
    await expect(preview(scene)).rejects.toMatchObject({
      code: 'chain_unreadable',
      outcome: 'not_sent',
    });
  });

  it('ends with the reason of the signal when it is aborted', async () => {
    const scene = await setUpNodeScene();
    const reason = new Error('the page was left');
    await expect(preview(scene, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
