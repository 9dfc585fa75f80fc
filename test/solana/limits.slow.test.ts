import { Transaction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { SolanaWallet } from '../../src/solana/index.js';
import { resealed } from '../delegation/support/mutations.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';

/** A wallet in which the user changes the limit before signing it. */
function editingWallet(scene: NodeScene, units: bigint): SolanaWallet {
  return {
    ...scene.wallet,
    async signTransaction(bytes) {
      scene.prompts.push('transaction');
      const transaction = Transaction.from(bytes);
      const approval = transaction.instructions.at(-1);
      approval?.data.writeBigUInt64LE(units, 1);
      transaction.partialSign(scene.keypair);
      return Uint8Array.from(transaction.serialize());
    },
  };
}

describe('a user who changes the limit in the wallet', () => {
  it.each([
    ['lower', 40_000_000n, '40'],
    ['higher', 400_000_000n, '400'],
    ['a fraction', 1n, '0.000001'],
  ])('to %s is named in the error, and a resume with that amount uses it', async (_, units, amount) => {
    const scene = await setUpNodeScene();
    const { error, state } = await scene.delegateAndCatch({ wallet: editingWallet(scene, units) });
    expect(error).toMatchObject({
      code: 'approval_mismatch',
      outcome: 'executed',
      field: 'amount',
      approvedAmount: amount,
    });
    expect((error as Error).message).toContain(`approved ${amount}`);
    expect(scene.registeredWallets()).toEqual([]);

    const result = await scene.runDelegation({ amount, resume: state });
    expect(result).toMatchObject({ registration: 'accepted', amount });
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
    const { delegate } = scene;
    expect(await scene.currentDelegation()).toEqual({ delegate, amount: units });
    expect(scene.registeredWallets()).toMatchObject([{ allowance: amount }]);
  });

  it('cannot resume with a third amount, and is not adopted with the first', async () => {
    const scene = await setUpNodeScene();
    const wallet = editingWallet(scene, 40_000_000n);
    const { state } = await scene.delegateAndCatch({ wallet });
    const third = await scene.delegateAndCatch({ amount: '41', resume: state });
    expect(third.error).toMatchObject({ code: 'state_mismatch' });
    const first = await scene.delegateAndCatch({ resume: state });
    expect(first.error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '40' });
    expect(scene.vm.sentCount).toBe(1);
  });

  it('cannot have a state adopted that names an amount which is not on the chain', async () => {
    const scene = await setUpNodeScene();
    const { state } = await scene.delegateAndCatch({ wallet: editingWallet(scene, 40_000_000n) });
    const changed = resealed({ ...state, notes: { ...state?.notes, approved: '90000000' } });
    const { error } = await scene.delegateAndCatch({ amount: '90', resume: changed });
    expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '40' });
    for (const approved of ['-1', '1.5', '01', 'x', '1'.repeat(21)]) {
      const broken = resealed({ ...state, notes: { ...state?.notes, approved } });
      const refused = await scene.delegateAndCatch({ resume: broken });
      expect(refused.error).toMatchObject({ code: 'state_mismatch' });
    }
  });
});

describe('a limit that is raised or lowered', () => {
  it.each([
    '200',
    '50',
  ])('to %s replaces the limit on the chain and at the service', async (amount) => {
    const scene = await setUpNodeScene();
    await scene.runDelegation();
    const result = await scene.runDelegation({ amount });
    expect(result).toMatchObject({ registration: 'accepted', amount });
    expect(scene.registeredWallets()).toMatchObject([{ allowance: amount }]);
    expect(await scene.currentDelegation()).toMatchObject({
      amount: BigInt(amount) * 1_000_000n,
    });
  });

  it('is not reported as done when the service keeps the earlier one', async () => {
    const scene = await setUpNodeScene();
    scene.mock.state.choices.secondApproval = 'refused';
    await scene.runDelegation();
    const { error } = await scene.delegateAndCatch({ amount: '200' });
    expect(error).toMatchObject({
      code: 'limit_not_updated',
      outcome: 'rejected',
      registeredAmount: '100.5',
    });
  });

  it('counts as done when the service shows what is left of it', async () => {
    const scene = await setUpNodeScene();
    scene.mock.state.choices.secondApproval = 'refused';
    await scene.runDelegation();
    const { vm, platformKey, tokenAccount, mint } = scene;
    const { connection } = scene;
    let isSpent = false;
    const result = await scene.runDelegation({
      approveAgain: true,
      node: new Proxy(connection, {
        get(target, name) {
          if (name !== 'getTransaction') return Reflect.get(target, name).bind?.(target);
          return async (...call: Parameters<typeof target.getTransaction>) => {
            const found = await target.getTransaction(...call);
            if (!isSpent) await vm.spend(platformKey, tokenAccount, mint, 500_000n);
            isSpent = true;
            const [wallet] = scene.registeredWallets();
            if (wallet) wallet.allowance = '100';
            return found;
          };
        },
      }),
    });
    expect(result).toMatchObject({ registration: 'already-approved', registeredAmount: '100' });
  });
});

describe('a faucet on Solana', () => {
  const waits = (scene: NodeScene) =>
    scene.progress.filter(({ message }) => message.startsWith('Waiting for the network fee'));

  it('is waited for until the wallet can pay the fee and its rent', async () => {
    const scene = await setUpNodeScene({ faucet: 'pending' });
    scene.vm.setLamports(scene.address, 0n);
    const balances = [0n, 4_999n, 5_001n, 895_879n, 895_880n];
    const result = await scene.runDelegation({
      faucet: true,
      runtime: {
        now: () => scene.mock.now,
        async sleep(milliseconds) {
          scene.mock.advance(milliseconds);
          const next = balances.shift();
          if (next !== undefined) scene.vm.setLamports(scene.address, next);
        },
      },
    });
    expect(result.registration).toBe('accepted');
    expect(waits(scene)).toHaveLength(1);
    expect(balances).toEqual([]);
    expect(scene.node.count('sendTransaction')).toBe(1);
  });

  it('that never pays does not keep the user waiting forever', async () => {
    const scene = await setUpNodeScene({ faucet: 'pending' });
    scene.vm.setLamports(scene.address, 0n);
    const before = scene.mock.now;
    const { error, state } = await scene.delegateAndCatch({ faucet: true, faucetTimeout: 20_000 });
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(scene.mock.now - before).toBeGreaterThanOrEqual(20_000);
    scene.vm.setLamports(scene.address, 1_000_000_000n);
    expect(await scene.runDelegation({ resume: state })).toMatchObject({
      registration: 'accepted',
    });
  });

  it('is not waited for by a wallet that can pay, which costs one read', async () => {
    const scene = await setUpNodeScene({ faucet: 'pending' });
    await scene.runDelegation({ faucet: true });
    expect(waits(scene)).toEqual([]);
    expect(scene.node.requests.length).toBeLessThanOrEqual(8);
  });

  it('is not waited for longer because the node fails', async () => {
    const scene = await setUpNodeScene({ faucet: 'pending' });
    scene.vm.setLamports(scene.address, 0n);
    let reads = 0;
    scene.node.fault = ({ method, params }) => {
      const [accounts] = (params ?? []) as [string[]];
      const isBalance = method === 'getMultipleAccounts' && accounts.includes(scene.address);
      // The first one is the look before anything is asked.
      if (!isBalance || ++reads !== 2) return undefined;
      scene.vm.setLamports(scene.address, 1_000_000_000n);
      return { status: 429 };
    };
    const result = await scene.runDelegation({ faucet: true });
    expect(result.registration).toBe('accepted');
    expect(waits(scene)).toHaveLength(1);
  });
});

it('a Solana delegation reads the node at most 8 times', async () => {
  const scene = await setUpNodeScene();
  await scene.runDelegation();
  expect(scene.node.requests.length).toBeLessThanOrEqual(8);
});
