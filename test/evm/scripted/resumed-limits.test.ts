import { describe, expect, it } from 'vitest';
import { createDelegation, type EvmDelegationOptions } from '../../../src/evm/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { approveData, CHAIN_ID, OTHER, SPENDER } from './chain.js';
import { OWNER, setUpScene } from './scene.js';

const OTHER_TOKEN = { address: OTHER, decimals: 6 };

function storedDelegation() {
  const scene = setUpScene();
  const { amount: _, onProgress: __, ...options } = scene.options();
  const delegation = createDelegation({
    ...options,
    network: 'linea',
    currency: 'usdc',
    spender: SPENDER,
    store: memoryStore(),
  });
  return { scene, delegation };
}

/** A stored delegation whose approval arrived, although the wallet did not say so. */
async function loseApproval(amounts: { amount: string; cap?: string; unlimited?: boolean }) {
  const { scene, delegation } = storedDelegation();
  scene.wallet.sendTransaction = async ({ data }) => {
    scene.prompts.push('lost');
    scene.chain.submit({ from: OWNER, input: data });
    scene.chain.mine();
    throw new Error('the connection to the wallet was lost');
  };
  await expect(delegation.start(amounts)).rejects.toMatchObject({ outcome: 'unknown' });
  return { scene, delegation };
}

describe('resume of a stored delegation', () => {
  it('continues an unlimited approval with its cap', async () => {
    const limit = { unlimited: true, cap: '1000' } as const;
    const { scene, delegation } = await loseApproval({ amount: '100.5', ...limit });
    const result = await delegation.resume(limit);
    expect(result).toMatchObject({ amount: '100.5', registration: 'accepted' });
    expect(scene.prompts.filter((prompt) => prompt === 'lost')).toHaveLength(1);
    expect(scene.countOf('send')).toBe(0);
  });

  it('continues with the limit that the user chose in the wallet in place of an unlimited one', async () => {
    const { scene, delegation } = storedDelegation();
    const limit = { unlimited: true, cap: '1000' } as const;
    scene.walletDoes.changes = () => ({ input: approveData(50_000_000n) });
    await expect(delegation.start({ amount: '100.5', ...limit })).rejects.toMatchObject({
      code: 'approval_mismatch',
      approvedAmount: '50',
      next: 'resume',
    });
    expect(await delegation.resume(limit)).toMatchObject({ amount: '50' });
    expect(scene.countOf('send')).toBe(1);
  });

  it('asks for that limit too after the user has declined a new approval of it', async () => {
    const { scene, delegation } = storedDelegation();
    const limit = { unlimited: true, cap: '1000' } as const;
    const { sendTransaction } = scene.wallet;
    const { changes } = scene.walletDoes;
    scene.walletDoes.changes = () => ({ input: approveData(50_000_000n) });
    await expect(delegation.start({ amount: '100.5', ...limit })).rejects.toMatchObject({
      approvedAmount: '50',
    });
    scene.walletDoes.changes = changes;
    scene.chain.forget(scene.chain.transactions[0]?.hash ?? '');
    scene.wallet.sendTransaction = async () => {
      throw Object.assign(new Error('declined'), { code: 4001 });
    };
    for (const replace of [true, false]) {
      await expect(delegation.resume({ ...limit, replace })).rejects.toMatchObject({
        code: 'user_rejected',
      });
    }
    scene.wallet.sendTransaction = sendTransaction;
    expect(await delegation.resume(limit)).toMatchObject({ amount: '50' });
    expect(scene.chain.transactions.map(({ input }) => input)).toEqual([approveData(50_000_000n)]);
  });

  it('continues a prompt for that limit that the page did not see answered', async () => {
    const { scene, delegation } = storedDelegation();
    const limit = { unlimited: true, cap: '1000' } as const;
    const { sendTransaction } = scene.wallet;
    const { changes } = scene.walletDoes;
    scene.walletDoes.changes = () => ({ input: approveData(50_000_000n) });
    await expect(delegation.start({ amount: '100.5', ...limit })).rejects.toMatchObject({
      approvedAmount: '50',
    });
    scene.walletDoes.changes = changes;
    scene.wallet.sendTransaction = async (call) => {
      await sendTransaction(call);
      throw new Error('the connection to the wallet was lost');
    };
    await expect(delegation.resume({ ...limit, replace: true })).rejects.toMatchObject({
      code: 'wallet_failed',
      outcome: 'unknown',
    });
    expect(await delegation.resume(limit)).toMatchObject({ amount: '50' });
    expect(scene.countOf('send')).toBe(2);
  });

  it('is not offered for a limit above the cap, which only a new start replaces', async () => {
    const { scene, delegation } = storedDelegation();
    const { changes } = scene.walletDoes;
    scene.walletDoes.changes = () => ({ input: approveData(150_000_001n) });
    const limit = { amount: '100.5', cap: '150' };
    await expect(delegation.start(limit)).rejects.toMatchObject({
      code: 'approval_mismatch',
      approvedAmount: '150.000001',
      next: 'replace',
    });
    scene.walletDoes.changes = changes;
    expect(await delegation.start({ ...limit, replace: true })).toMatchObject({ amount: '100.5' });
  });

  it('is offered for a limit that is exactly the cap', async () => {
    const { scene, delegation } = storedDelegation();
    scene.walletDoes.changes = () => ({ input: approveData(150_000_000n) });
    const limit = { amount: '100.5', cap: '150' };
    await expect(delegation.start(limit)).rejects.toMatchObject({ next: 'resume' });
    expect(await delegation.resume({ cap: '150' })).toMatchObject({ amount: '150' });
  });

  it('refuses an amount above the cap that it is given', async () => {
    const { delegation } = await loseApproval({ amount: '100.5' });
    await expect(delegation.resume({ cap: '100' })).rejects.toMatchObject({
      name: 'RequestValidationError',
      message: expect.stringContaining('amount'),
    });
    await expect(delegation.resume({ cap: '100.5' })).resolves.toMatchObject({ amount: '100.5' });
  });

  it.each([
    [{ unlimited: true, cap: '1000' } as const, {}],
    [{}, { unlimited: true, cap: '1000' } as const],
  ])('refuses an approval of %j as one of %j: the amount is the same, the allowance is not', async (first, second) => {
    const { scene, delegation } = await loseApproval({ amount: '100.5', ...first });
    await expect(delegation.resume(second)).rejects.toMatchObject({
      code: 'state_mismatch',
      outcome: 'not_sent',
      fields: ['allowance'],
    });
    expect(scene.countOf('send')).toBe(0);
  });
});

it.each<[string, Partial<EvmDelegationOptions>]>([
  ['spender', { spender: OTHER, allowSpenderWithoutCode: true }],
  ['token', { networks: { linea: { chainId: CHAIN_ID, tokens: { usdc: OTHER_TOKEN } } } }],
  ['chainId', { networks: { linea: { chainId: 59_141, tokens: { usdc: OTHER_TOKEN } } } }],
])('a state of another %s is refused before the wallet is asked', async (field, changes) => {
  const scene = setUpScene();
  scene.walletDoes.mines = false;
  const { state } = await scene.fail({ confirmationTimeout: 2_000 });
  const { error } = await scene.fail({ resume: state, ...changes });
  expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
  expect((error as { fields?: string[] }).fields).toContain(field);
  expect(scene.prompts).toEqual(['sign', 'send']);
});

it('a limit that the user changed in the wallet is forgotten with its approval', async () => {
  const scene = setUpScene();
  const { changes } = scene.walletDoes;
  scene.walletDoes.changes = () => ({ input: approveData(5_000_000n) });
  const changed = await scene.fail();
  expect(changed.error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '5' });
  // A reorganization removes it, and the user approves the amount of the page.
  scene.chain.forget(changed.state?.approval?.transactionId ?? '');
  scene.walletDoes.changes = changes;
  scene.service.submit = async () => {
    throw new Error('the page was closed');
  };
  const { state } = await scene.fail({ resume: changed.state, approveAgain: true });
  expect(state?.approval?.status).toBe('verified');
  const { error } = await scene.fail({ resume: state, amount: '5' });
  expect(error).toMatchObject({ code: 'state_mismatch', fields: ['amount', 'allowance'] });
});
