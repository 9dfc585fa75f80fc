import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import {
  createDelegation,
  type EvmDelegationOptions,
  type EvmWallet,
} from '../../../src/evm/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { SPENDER } from './chain.js';
import { OWNER, type Scene, setUpScene } from './scene.js';

const ACCOUNT = privateKeyToAccount(`0x${'11'.repeat(32)}`);

/** A wallet that signs by itself, and what it was asked to send. */
function selfSigning(scene: Scene, afterSigning: () => unknown = () => undefined) {
  const sent: string[] = [];
  const wallet: EvmWallet = {
    ...scene.wallet,
    async signTransaction({ to, data, chainId }) {
      scene.prompts.push('sign-transaction');
      const fees = { gas: 60_000n, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
      const raw = await ACCOUNT.signTransaction({ to, data, chainId, nonce: 7, ...fees });
      await afterSigning();
      return raw;
    },
    async sendSigned(raw) {
      sent.push(raw);
      scene.chain.submit({ from: OWNER, hash: keccak256(raw as `0x${string}`), nonce: 7n });
    },
  };
  return { wallet, sent };
}

/** Runs a stored delegation whose store stops working when the test says so. */
async function runStored(scene: Scene, wallet: EvmWallet, isFull: () => boolean) {
  const { amount, onProgress: _, ...options } = scene.options();
  const store = memoryStore();
  const delegation = createDelegation({
    ...options,
    network: 'linea',
    currency: 'usdc',
    spender: SPENDER,
    wallet,
    store: {
      ...store,
      set: (key: string, value: string) =>
        isFull() ? Promise.reject(new Error('the disk is full')) : store.set(key, value),
    },
  });
  const started = delegation.start({ amount } as Pick<EvmDelegationOptions, 'amount'> as never);
  await expect(started).rejects.toMatchObject({
    code: 'delegation_not_saved',
    outcome: 'not_sent',
  });
}

describe('what a later run must know is saved first', () => {
  it('a signed transaction before a node gets it', async () => {
    const scene = setUpScene();
    let isFull = false;
    const { wallet, sent } = selfSigning(scene, () => {
      isFull = true;
    });
    await runStored(scene, wallet, () => isFull);
    expect(scene.prompts).toEqual(['sign', 'sign-transaction']);
    expect(sent).toEqual([]);
  });

  it('the block before the wallet is asked for the approval', async () => {
    const scene = setUpScene();
    await runStored(scene, scene.wallet, () => scene.prompts.includes('sign'));
    expect(scene.prompts).toEqual(['sign']);
  });

  it('the block before the wallet is asked to reset the old limit', async () => {
    const scene = setUpScene();
    scene.chain.firstAllowance = 7n;
    scene.chain.onlyFromZero = true;
    await runStored(scene, scene.wallet, () => scene.prompts.includes('sign'));
    expect(scene.prompts).toEqual(['sign']);
  });
});

it('a request to the faucet is saved before it is made: each user can use it once', async () => {
  const scene = setUpScene();
  scene.chain.balance = 0n;
  const asked: unknown[] = [];
  const getToken = (input?: object) => {
    asked.push(input);
    return scene.getToken();
  };
  const client = { ...scene.client, delegation: { ...scene.client.delegation, getToken } };
  const { amount, onProgress: _, ...options } = scene.options({ client, faucet: true });
  const store = memoryStore();
  const delegation = createDelegation({
    ...options,
    client,
    network: 'linea',
    currency: 'usdc',
    spender: SPENDER,
    store: {
      ...store,
      set: (key: string, value: string) =>
        key.includes('.delegation.')
          ? Promise.reject(new Error('the disk is full'))
          : store.set(key, value),
    },
  });
  const started = delegation.start({ amount } as never);
  await expect(started).rejects.toMatchObject({ code: 'delegation_not_saved' });
  expect(asked).toEqual([]);
});

describe('a transaction that was signed after its prompt had timed out', () => {
  it('is never sent: a resumed flow may have asked again', async () => {
    const scene = setUpScene();
    let respond = () => {};
    const response = new Promise<void>((resolve) => {
      respond = resolve;
    });
    const { wallet, sent } = selfSigning(scene, () => response);
    const runtime = {
      now: scene.runtime.now,
      // The time limit of a prompt passes only when the wallet was asked for the approval.
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        milliseconds === 1_000 && scene.progress.at(-1)?.step !== 'approval-sent'
          ? new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
          : scene.runtime.sleep(milliseconds, signal),
    };
    const { error } = await scene.fail({ wallet, runtime, promptTimeout: 1_000 });
    expect(error).toMatchObject({ code: 'prompt_timeout', outcome: 'unknown' });
    respond();
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(scene.prompts).toEqual(['sign', 'sign-transaction']);
    expect(sent).toEqual([]);
  });
});
