import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApprovalCalls, type EvmCall, type EvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { SPENDER, setScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
  await chain.testClient.setAutomine(false);
});

afterAll(() => chain.stop());

const FEE = 10n ** 10n;

type Replacement = Pick<EvmCall, 'to' | 'data'>;

/** A wallet whose user sends another transaction in place of the approval, seconds later. */
function replacing(scene: PendingScene, replacement: (call: EvmCall) => Replacement): EvmWallet {
  const { account } = scene;
  const send = async (call: Replacement, nonce: number, times: bigint) =>
    chain.walletFor(account).sendTransaction({
      account,
      chain: chain.chain,
      nonce,
      gas: 100_000n,
      to: call.to,
      data: call.data,
      maxFeePerGas: FEE * times,
      maxPriorityFeePerGas: times,
    });
  return {
    ...scene.wallet,
    async sendTransaction(call) {
      scene.asked.push('send');
      const nonce = await scene.transactions();
      const hash = await send(call, nonce, 1n);
      // The flow looks once at the pending transaction; then the user acts in the wallet.
      void scene.looked().then(async () => {
        await send(replacement(call), nonce, 5n);
        await chain.testClient.mine({ blocks: 3 });
      });
      return hash;
    },
  };
}

describe('a pending approval', () => {
  it('is followed when the user speeds it up', async () => {
    const scene = await setPendingScene();
    const result = await scene.delegate({ wallet: replacing(scene, (call) => call) });
    expect(result.registration).toBe('accepted');
    const words = scene.progress.map(({ message }) => message);
    expect(words).toContain('Your wallet sped up the transaction.');
    expect(scene.asked).toEqual(['sign', 'send']);
    expect(await scene.transactions()).toBe(1);
    const transaction = await chain.publicClient.getTransaction({
      hash: result.transactionId as Hex,
    });
    expect(transaction.maxFeePerGas).toBe(FEE * 5n);
  });

  it('is reported as cancelled when the user cancels it', async () => {
    const scene = await setPendingScene();
    const toSelf = () => ({ to: scene.account.address, data: '0x' as const });
    const { error, state } = await scene.failing({ wallet: replacing(scene, toSelf) });
    expect(error).toMatchObject({ code: 'transaction_cancelled', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    expect(await scene.allowance()).toBe(0n);
    void mineUntilDone(scene);
    await scene.delegate({ resume: state });
    expect(scene.asked).toEqual(['sign', 'send', 'send']);
  });

  it('is reported as replaced when the user sends something else', async () => {
    const scene = await setPendingScene();
    const other = () => buildOther(7n);
    const { error, state } = await scene.failing({ wallet: replacing(scene, other) });
    expect(error).toMatchObject({ code: 'transaction_replaced', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    expect(scene.calls('delegation.submitEvmApproval')).toBe(0);
  });

  it('is followed even when the page was closed in between', async () => {
    const scene = await setPendingScene();
    const { wallet, account } = scene;
    const { error, state } = await scene.failing({ confirmationTimeout: 100 });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
    const [call] = buildApprovalCalls({ ...limit(), amount: '100.5' });
    await chain.walletFor(account).sendTransaction({
      account,
      chain: chain.chain,
      nonce: 0,
      gas: 100_000n,
      to: call?.to ?? '0x',
      data: call?.data ?? '0x',
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 11n,
    });
    await chain.testClient.mine({ blocks: 20 });
    const result = await scene.delegate({ resume: state, wallet });
    expect(result.registration).toBe('accepted');
    expect(result.transactionId).not.toBe(state?.approval?.transactionId);
    expect(scene.asked.filter((what) => what === 'send')).toHaveLength(1);
  });

  it('needs the requested number of confirmations', async () => {
    const scene = await setPendingScene();
    void mineUntilDone(scene);
    const before = await chain.publicClient.getBlockNumber();
    await scene.delegate({ confirmations: 4 });
    expect((await chain.publicClient.getBlockNumber()) - before).toBeGreaterThanOrEqual(4n);
  });

  it('is awaited again after a reorganization removes it', async () => {
    const scene = await setPendingScene();
    const { wallet } = scene;
    let hash: Hex = '0x';
    let gone = false;
    const remembering = {
      ...wallet,
      async sendTransaction(call: EvmCall) {
        hash = (await wallet.sendTransaction(call)) as Hex;
        return hash;
      },
    };
    void (async () => {
      await scene.looked();
      const raw = await chain.publicClient.request({
        method: 'eth_getRawTransactionByHash' as never,
        params: [hash] as never,
      });
      await chain.testClient.mine({ blocks: 1 });
      await scene.looked();
      await chain.testClient.request({
        method: 'anvil_reorg' as never,
        params: [1, []] as never,
      });
      gone = await chain.publicClient.getTransactionReceipt({ hash }).then(
        () => false,
        () => true,
      );
      await scene.looked();
      await chain.publicClient.request({
        method: 'eth_sendRawTransaction',
        params: [raw as Hex],
      });
      await mineUntilDone(scene);
    })();
    const result = await scene.delegate({ wallet: remembering, confirmations: 3 });
    expect(result).toMatchObject({ registration: 'accepted', transactionId: hash });
    expect(gone).toBe(true);
    expect(scene.asked).toEqual(['sign', 'send']);
  });
});

describe('a node', () => {
  it('that stalls ends the run, and the approval is kept', async () => {
    const scene = await setPendingScene();
    const publicClient = {
      request: (call: { method: string; params?: unknown }) =>
        call.method === 'eth_getTransactionReceipt'
          ? new Promise<never>(() => {})
          : chain.publicClient.request(call as never),
    };
    // Generous: the other reads have the same limit, on a machine that may be busy.
    const { error, state } = await scene.failing({ publicClient, readTimeout: 3_000 });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
    void mineUntilDone(scene);
    await scene.delegate({ resume: state });
    expect(scene.asked).toEqual(['sign', 'send']);
  });

  it.each([
    ['eth_chainId', 'nonsense'],
    ['eth_call', '0x'],
    ['eth_blockNumber', null],
    ['eth_getTransactionReceipt', { status: '0x1' }],
  ])('that responds to %s with %j is not trusted', async (method, answer) => {
    const scene = await setPendingScene();
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) =>
        call.method === method ? answer : chain.publicClient.request(call as never),
    };
    const { error } = await scene.failing({ publicClient });
    expect(error).toMatchObject({ code: 'chain_unreadable' });
    expect(scene.calls('delegation.submitEvmApproval')).toBe(0);
  });

  it('that responds with the receipt of another transaction is not trusted', async () => {
    const scene = await setPendingScene();
    const foreign = { status: '0x1', blockNumber: '0x1', logs: [], transactionHash: SPENDER };
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) =>
        call.method === 'eth_getTransactionReceipt'
          ? foreign
          : chain.publicClient.request(call as never),
    };
    const { error } = await scene.failing({ publicClient });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
  });

  it('whose error contains its key does not leak it', async () => {
    const scene = await setPendingScene();
    const publicClient = {
      request: () => Promise.reject(new Error('https://linea.node.example/v3/secret-key failed')),
    };
    const { error } = await scene.failing({ publicClient });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(`${error}${JSON.stringify(error)}${(error as Error).cause}`).not.toContain('secret-key');
  });
});

const limit = () => ({
  network: 'linea',
  currency: 'usdc',
  networks: chain.networks,
  spender: SPENDER,
});

function buildOther(units: bigint): Replacement {
  const [call] = buildApprovalCalls({ ...limit(), amount: `0.00000${units}` });
  return { to: call?.to ?? '0x', data: call?.data ?? '0x' };
}

/** A scene that can tell when the flow has looked at its pending transaction once more. */
async function setPendingScene() {
  const scene = await setScene(chain);
  let waiters: (() => void)[] = [];
  const options = scene.options();
  const sleep = async (milliseconds: number) => {
    for (const wake of waiters) wake();
    waiters = [];
    scene.mock.advance(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const runtime = { ...options.runtime, sleep };
  return {
    ...scene,
    looked: () => new Promise<void>((resolve) => waiters.push(resolve)),
    delegate: (changes: Parameters<typeof scene.delegate>[0] = {}) =>
      scene.delegate({ runtime, ...changes }),
    failing: (changes: Parameters<typeof scene.failing>[0] = {}) =>
      scene.failing({ runtime, ...changes }),
  };
}

type PendingScene = Awaited<ReturnType<typeof setPendingScene>>;

/** Blocks come as on a real chain, until the wallet is registered. */
async function mineUntilDone(scene: PendingScene): Promise<void> {
  const isOver = () => scene.progress.some(({ step }) => step === 'verified');
  while (!isOver()) {
    await chain.testClient.mine({ blocks: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
