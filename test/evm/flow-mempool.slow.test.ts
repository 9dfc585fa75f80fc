import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApprovalCalls, type EvmCall, type EvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
  await chain.stopMining();
});

afterAll(() => chain.stop());

const FEE = 10n ** 10n;
const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';

type Replacement = Pick<EvmCall, 'to' | 'data'>;

/** A wallet whose user replaces the pending approval with another transaction. */
function replacingWallet(
  scene: PendingScene,
  replacement: (call: EvmCall) => Replacement,
): EvmWallet {
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
      scene.prompts.push('send');
      const nonce = await scene.transactionCount();
      const hash = await send(call, nonce, 1n);
      // The user acts in the wallet after the flow has checked the pending transaction once.
      void scene.nextCheck().then(async () => {
        await send(replacement(call), nonce, 5n);
        await chain.testClient.mine({ blocks: 3 });
      });
      return hash;
    },
  };
}

describe('a pending approval transaction', () => {
  it('is followed when the user speeds it up', async () => {
    const scene = await setPendingScene();
    const result = await scene.delegate({ wallet: replacingWallet(scene, (call) => call) });
    expect(result.registration).toBe('accepted');
    const messages = scene.progress.map(({ message }) => message);
    expect(messages).toContain('Your wallet sped up the transaction.');
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(await scene.transactionCount()).toBe(1);
    const transaction = await chain.publicClient.getTransaction({
      hash: result.transactionId as Hex,
    });
    expect(transaction.maxFeePerGas).toBe(FEE * 5n);
  });

  it('is reported as cancelled when the user cancels it', async () => {
    const scene = await setPendingScene();
    const toSelf = () => ({ to: scene.account.address, data: '0x' as const });
    const { error, state } = await scene.delegateAndCatch({
      wallet: replacingWallet(scene, toSelf),
    });
    expect(error).toMatchObject({ code: 'transaction_cancelled', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    expect(await scene.allowance()).toBe(0n);
    void mineUntilVerified(scene);
    await scene.delegate({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'send', 'send']);
  });

  it('is reported as replaced when the user sends something else', async () => {
    const scene = await setPendingScene();
    const [other] = buildApprovalCalls({ ...approvalInput(), spender: OTHER, amount: '7' });
    const { error, state } = await scene.delegateAndCatch({
      wallet: replacingWallet(scene, () => ({ to: other?.to ?? '0x', data: other?.data ?? '0x' })),
    });
    expect(error).toMatchObject({ code: 'transaction_replaced', outcome: 'unknown' });
    expect(state?.approval).toBeUndefined();
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
  });

  it('is reported with its amount, and can be adopted, when the user speeds up another limit', async () => {
    const scene = await setPendingScene();
    const { error, state } = await scene.delegateAndCatch({
      wallet: replacingWallet(scene, () => buildOtherApproval(7n)),
    });
    expect(error).toMatchObject({
      code: 'approval_mismatch',
      outcome: 'executed',
      approvedAmount: '0.000007',
    });
    expect(await scene.allowance()).toBe(7n);
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
    const result = await scene.delegate({ resume: state, amount: '0.000007' });
    expect(result).toMatchObject({ registration: 'accepted', amount: '0.000007' });
    expect(scene.prompts.filter((what) => what === 'send')).toHaveLength(1);
  });

  it('is followed when the user sped it up while the page was closed', async () => {
    const scene = await setPendingScene();
    const { wallet, account } = scene;
    const { error, state } = await scene.delegateAndCatch({ confirmationTimeout: 100 });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
    const [call] = buildApprovalCalls({ ...approvalInput(), amount: '100.5' });
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
    expect(scene.prompts.filter((what) => what === 'send')).toHaveLength(1);
  });

  it('is verified only after the requested number of confirmations', async () => {
    const scene = await setPendingScene();
    void mineUntilVerified(scene);
    const before = await chain.publicClient.getBlockNumber();
    await scene.delegate({ confirmations: 4 });
    expect((await chain.publicClient.getBlockNumber()) - before).toBeGreaterThanOrEqual(4n);
  });

  it('is waited for again after a reorganization removed it from the chain', async () => {
    const scene = await setPendingScene();
    const { wallet } = scene;
    let hash: Hex = '0x';
    let wasRemoved = false;
    const hashRecordingWallet = {
      ...wallet,
      async sendTransaction(call: EvmCall) {
        hash = (await wallet.sendTransaction(call)) as Hex;
        return hash;
      },
    };
    void (async () => {
      await scene.nextCheck();
      const raw = await chain.publicClient.request({
        method: 'eth_getRawTransactionByHash' as never,
        params: [hash] as never,
      });
      await chain.testClient.mine({ blocks: 1 });
      await scene.nextCheck();
      await chain.testClient.request({
        method: 'anvil_reorg' as never,
        params: [1, []] as never,
      });
      wasRemoved = await chain.publicClient.getTransactionReceipt({ hash }).then(
        () => false,
        () => true,
      );
      await scene.nextCheck();
      await chain.publicClient.request({
        method: 'eth_sendRawTransaction',
        params: [raw as Hex],
      });
      await mineUntilVerified(scene);
    })();
    const result = await scene.delegate({ wallet: hashRecordingWallet, confirmations: 3 });
    expect(result).toMatchObject({ registration: 'accepted', transactionId: hash });
    expect(wasRemoved).toBe(true);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });
});

describe('delegateEvm with a faulty node', () => {
  it('fails when the node stalls, and keeps the sent approval in the state', async () => {
    const scene = await setPendingScene();
    const publicClient = {
      request: (call: { method: string; params?: unknown }) =>
        call.method === 'eth_getTransactionReceipt'
          ? new Promise<never>(() => {})
          : chain.publicClient.request(call as never),
    };
    // A generous limit: the other reads have the same one, and the machine may be busy.
    const { error, state } = await scene.delegateAndCatch({
      node: publicClient,
      readTimeout: 3_000,
      confirmationTimeout: 10,
    });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
    void mineUntilVerified(scene);
    await scene.delegate({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it.each([
    ['eth_chainId', 'nonsense'],
    ['eth_call', '0x'],
    ['eth_blockNumber', null],
    ['eth_getTransactionReceipt', { status: '0x1' }],
  ])('fails with chain_unreadable when the node responds to %s with %j', async (method, response) => {
    const scene = await setPendingScene();
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) =>
        call.method === method ? response : chain.publicClient.request(call as never),
    };
    const { error } = await scene.delegateAndCatch({
      node: publicClient,
      confirmationTimeout: 200,
    });
    expect(error).toMatchObject({ code: 'chain_unreadable' });
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
  });

  it('fails with chain_unreadable when the node returns the receipt of another transaction', async () => {
    const scene = await setPendingScene();
    const foreign = { status: '0x1', blockNumber: '0x1', logs: [], transactionHash: SPENDER };
    const publicClient = {
      request: async (call: { method: string; params?: unknown }) =>
        call.method === 'eth_getTransactionReceipt'
          ? foreign
          : chain.publicClient.request(call as never),
    };
    const { error } = await scene.delegateAndCatch({
      node: publicClient,
      confirmationTimeout: 200,
    });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
  });

  it('reports an error of the node without the API key in its URL', async () => {
    const scene = await setPendingScene();
    const publicClient = {
      request: () => Promise.reject(new Error('https://linea.node.example/v3/secret-key failed')),
    };
    const { error } = await scene.delegateAndCatch({ node: publicClient });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(`${error}${JSON.stringify(error)}${(error as Error).cause}`).not.toContain('secret-key');
  });
});

const approvalInput = () => ({
  network: 'linea',
  currency: 'usdc',
  networks: chain.networks,
  spender: SPENDER,
});

function buildOtherApproval(units: bigint): Replacement {
  const [call] = buildApprovalCalls({ ...approvalInput(), amount: `0.00000${units}` });
  return { to: call?.to ?? '0x', data: call?.data ?? '0x' };
}

/** A scene that can wait until the flow checks its pending transaction again. */
async function setPendingScene() {
  const scene = await setUpScene(chain);
  let waiting: (() => void)[] = [];
  const options = scene.options();
  const sleep = async (milliseconds: number) => {
    for (const resolve of waiting) resolve();
    waiting = [];
    scene.mock.advance(milliseconds);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const runtime = { ...options.runtime, sleep };
  return {
    ...scene,
    nextCheck: () => new Promise<void>((resolve) => waiting.push(resolve)),
    delegate: (changes: Parameters<typeof scene.delegate>[0] = {}) =>
      scene.delegate({ runtime, ...changes }),
    delegateAndCatch: (changes: Parameters<typeof scene.delegateAndCatch>[0] = {}) =>
      scene.delegateAndCatch({ runtime, ...changes }),
  };
}

type PendingScene = Awaited<ReturnType<typeof setPendingScene>>;

/** Mines blocks, as a real chain does, until the approval is verified. */
async function mineUntilVerified(scene: PendingScene): Promise<void> {
  const isVerified = () => scene.progress.some(({ step }) => step === 'verified');
  while (!isVerified()) {
    await chain.testClient.mine({ blocks: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
