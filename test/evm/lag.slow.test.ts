import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve, mint, spend } from './support/chain-actions.js';
import { type Scene, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(1);
});

afterAll(() => chain.stop());

type Call = { method: string; params?: unknown };

/** A node whose responses to a method are replaced a number of times, once the approval was sent. */
async function laggingNode(method: string, times: number, respond: () => unknown) {
  const scene = await setUpScene(chain);
  const late = { left: times };
  const publicClient = {
    async request(call: Call): Promise<unknown> {
      const isSent = scene.prompts.includes('send');
      if (isSent && call.method === method && late.left-- > 0) return respond();
      return chain.publicClient.request(call as never);
    },
  };
  return { scene, late, publicClient };
}

describe('a node that is behind does not end an EVM delegation', () => {
  const tooMany = () => {
    throw Object.assign(new Error('Too Many Requests'), { code: -32005, status: 429 });
  };
  it.each<[string, string, number, () => unknown]>([
    ['the transaction as unknown', 'eth_getTransactionByHash', 1, () => null],
    ['the transaction as unknown', 'eth_getTransactionByHash', 6, () => null],
    ['the receipt as unknown', 'eth_getTransactionReceipt', 2, () => null],
    ['the old limit', 'eth_call', 6, () => `0x${'0'.repeat(64)}`],
    ['429', 'eth_getTransactionReceipt', 1, tooMany],
    ['429', 'eth_getTransactionByHash', 1, tooMany],
    ['429', 'eth_call', 1, tooMany],
  ])('when it reports %s in response to %s %d times', async (_, method, times, respond) => {
    const { scene, late, publicClient } = await laggingNode(method, times, respond);
    const result = await scene.delegate({ node: publicClient });
    expect(result.registration).toBe('accepted');
    expect(late.left).toBeLessThan(0);
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it.each([
    'eth_call',
    'eth_blockNumber',
    'eth_getTransactionCount',
  ])('when it responds to %s with 429 once before the prompt', async (method) => {
    const scene = await setUpScene(chain);
    let left = 1;
    const publicClient = {
      async request(call: Call): Promise<unknown> {
        if (call.method === method && left-- > 0) return tooMany();
        return chain.publicClient.request(call as never);
      },
    };
    const result = await scene.delegate({ node: publicClient });
    expect(result.registration).toBe('accepted');
  });

  it('but a limit that stays different does, without advice to revoke', async () => {
    const { scene, publicClient } = await laggingNode('eth_getTransactionByHash', 1e6, () => null);
    const { error } = await scene.delegateAndCatch({ node: publicClient });
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'transaction' });
    expect(String(error)).not.toContain('revoke');
  });
});

describe('a limit that was spent before a resume', () => {
  it('is a success when the response to the proof was lost and the wallet is registered', async () => {
    const scene = await setUpScene(chain);
    await mint(scene, 100_500_000n);
    scene.mock.drop('delegation.submitEvmApproval', 'after-processing');
    scene.mock.fail('wallets.external.list', 500, { times: 99 });
    const { error, state } = await scene.delegateAndCatch({ currency: 'usdt' });
    expect(error).toMatchObject({ code: 'proof_unknown' });
    await spend(scene, 100_500_000n);
    const list = async () => scene.registeredWallets();
    const client = { delegation: scene.client.delegation, wallets: { external: { list } } };
    const result = await scene.delegate({ currency: 'usdt', resume: state, client });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is a success when another page registered the wallet with this limit', async () => {
    const scene = await setUpScene(chain);
    await mint(scene, 100_500_000n);
    const page = new AbortController();
    const { state } = await scene.delegateAndCatch({
      currency: 'usdt',
      signal: page.signal,
      onProgress: ({ step, status }) =>
        step === 'verified' && status === 'done' && page.abort(new Error('reload')),
    });
    await scene.delegate({ currency: 'usdt', resume: state });
    await spend(scene, 100_500_000n);
    const result = await scene.delegate({ currency: 'usdt', resume: state });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.prompts.filter((what) => what === 'send')).toHaveLength(1);
  });

  it('is reported as changed when the service does not have the wallet', async () => {
    const scene = await setUpScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'before-processing');
    const { state } = await scene.delegateAndCatch({ currency: 'usdt' });
    await approve(scene, 0n);
    const { error } = await scene.delegateAndCatch({ currency: 'usdt', resume: state });
    expect(error).toMatchObject({ code: 'allowance_raced', actual: '0' });
  });
});

/** A wallet whose user speeds the approval up before any node has seen it. */
function replacingWallet({ account, wallet }: Scene): EvmWallet {
  return {
    ...wallet,
    async sendTransaction(call) {
      const client = chain.walletFor(account);
      const send = (times: bigint) =>
        client.sendTransaction({
          ...{ account, chain: chain.chain, to: call.to, data: call.data, nonce: 0 },
          ...{ gas: 100_000n, maxFeePerGas: 10n ** 10n * times, maxPriorityFeePerGas: times },
        });
      await chain.stopMining();
      const hash = await send(1n);
      await send(5n);
      await chain.testClient.mine({ blocks: 3 });
      await chain.startMining();
      return hash;
    },
  };
}

it('a replacement is found in a block with a transaction of an unknown type', async () => {
  const scene = await setUpScene(chain);
  let blocks = 0;
  const publicClient = {
    async request(call: Call): Promise<unknown> {
      if (call.method === 'eth_getLogs') throw new Error('not supported');
      const response = await chain.publicClient.request(call as never);
      if (call.method !== 'eth_getBlockByNumber') return response;
      blocks++;
      const { transactions } = response as { transactions: object[] };
      return { ...(response as object), transactions: [{ type: '0x7e' }, ...transactions] };
    },
  };
  const result = await scene.delegate({ wallet: replacingWallet(scene), node: publicClient });
  expect(result.registration).toBe('accepted');
  expect(blocks).toBe(1);
});

it.each([
  'eth_getBlockByNumber',
  'eth_getTransactionCount',
  'eth_blockNumber',
])('a replacement is found even if the node responds to %s with null once', async (method) => {
  const scene = await setUpScene(chain);
  const late = { left: 1 };
  const publicClient = {
    async request(call: Call): Promise<unknown> {
      if (call.method === 'eth_getLogs') throw new Error('not supported');
      const isSent = (await scene.transactionCount()) > 0;
      if (isSent && call.method === method && late.left-- > 0) return null;
      return chain.publicClient.request(call as never);
    },
  };
  const result = await scene.delegate({ wallet: replacingWallet(scene), node: publicClient });
  expect(result.registration).toBe('accepted');
  expect(late.left).toBeLessThan(1);
});
