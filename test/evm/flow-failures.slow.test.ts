import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EvmCall, type EvmWallet, isChainError } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve } from './support/chain-actions.js';
import { type Scene, setUpScene } from './support/scene.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  await Promise.all([linea.stop(), ethereum.stop()]);
});

const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('delegateEvm on the wrong chain', () => {
  it('fails before it prompts the wallet when the wallet is on another chain', async () => {
    const scene = await setUpScene(linea);
    const wallet = { ...scene.wallet, getChainId: async () => 1 };
    const { error } = await scene.delegateAndCatch({ wallet });
    const facts = { code: 'wrong_chain', outcome: 'not_sent', expected: '59144', actual: '1' };
    expect(error).toMatchObject(facts);
    expect(scene.prompts).toEqual([]);
  });

  it('fails before it prompts the wallet when the node is on another chain', async () => {
    const scene = await setUpScene(linea);
    const { error } = await scene.delegateAndCatch({ node: ethereum.publicClient });
    expect(error).toMatchObject({ code: 'wrong_chain', expected: '59144', actual: '1' });
    expect(scene.prompts).toEqual([]);
  });

  it('fails before the approval when the user switches the chain after signing', async () => {
    const scene = await setUpScene(linea);
    const wallet = {
      ...scene.wallet,
      getChainId: async () => (scene.prompts.includes('sign') ? 1 : 59144),
    };
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'not_sent' });
    expect(scene.prompts).toEqual(['sign']);
    await scene.delegate({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('fails with wrong_chain when the wallet sent the approval on another chain', async () => {
    const scene = await setUpScene(linea);
    let chainId = 59144;
    const wallet = {
      ...scene.wallet,
      getChainId: async () => chainId,
      async sendTransaction() {
        chainId = 1;
        return `0x${'12'.repeat(32)}`;
      },
    };
    const { error, state } = await scene.delegateAndCatch({ wallet, confirmationTimeout: 50 });
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown', actual: '1' });
    expect(state?.approval?.status).toBe('sent');
  });

  it('fails before it prompts the wallet when the token contract does not exist', async () => {
    const scene = await setUpScene(linea);
    const tokens = { usdc: { address: OTHER, decimals: 6 } };
    const networks = { linea: { chainId: 59144, tokens } };
    const { error } = await scene.delegateAndCatch({ networks });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });
});

describe('delegateEvm when the user declines a prompt', () => {
  const declined = Object.assign(new Error('User rejected the request.'), { code: 4001 });
  const wrapped = Object.assign(new Error('Details: no'), { cause: { cause: declined } });

  it.each([
    ['signMessage', declined, []],
    ['signMessage', wrapped, []],
    ['sendTransaction', declined, ['sign']],
    ['sendTransaction', wrapped, ['sign']],
  ] as const)('fails with user_rejected after one prompt of %s that throws "%s", and can be resumed', async (method, reason, before) => {
    const scene = await setUpScene(linea);
    let prompts = 0;
    const wallet = {
      ...scene.wallet,
      [method]: async () => {
        prompts++;
        throw reason;
      },
    };
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(isChainError(error, 'user_rejected')).toBe(true);
    expect(error).toMatchObject({ outcome: 'not_sent' });
    expect(prompts).toBe(1);
    expect(scene.prompts).toEqual(before);
    expect(scene.progress.at(-1)).toMatchObject({ status: 'failed' });
    await scene.delegate({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('can be resumed after the user declined the reset of the old limit', async () => {
    const scene = await setUpScene(ethereum);
    await approve(scene, 5n);
    const wallet = { ...scene.wallet, sendTransaction: () => Promise.reject(declined) };
    const { error, state } = await scene.delegateAndCatch({ currency: 'usdt', wallet });
    expect(error).toMatchObject({ code: 'user_rejected' });
    await scene.delegate({ currency: 'usdt', resume: state });
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });
});

describe('delegateEvm with a failing wallet', () => {
  const walletFailingWith = (scene: Scene, reason: unknown): EvmWallet => ({
    ...scene.wallet,
    sendTransaction: () => Promise.reject(reason),
  });

  it('sends nothing when the account cannot pay the fee, and can be resumed', async () => {
    const scene = await setUpScene(linea);
    const { address } = scene.account;
    await linea.testClient.setBalance({ address, value: 0n });
    const { error, state } = await scene.delegateAndCatch({ faucet: false });
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    await linea.testClient.setBalance({ address, value: 10n ** 18n });
    await scene.delegate({ resume: state });
    expect(scene.prompts).toEqual(['sign', 'send']);
    expect(await scene.transactionCount()).toBe(1);
  });

  it.each([
    [4100, 'not_sent'],
    [4900, 'unknown'],
    [4901, 'unknown'],
    [-32002, 'unknown'],
    [-32602, 'not_sent'],
    [-32603, 'unknown'],
    [-32000, 'unknown'],
  ])('maps the wallet error code %d to the outcome %s, and reports no secrets of its message', async (code, outcome) => {
    const scene = await setUpScene(linea);
    const reason = Object.assign(new Error('https://node.example/secret-key'), { code });
    const { error } = await scene.delegateAndCatch({ wallet: walletFailingWith(scene, reason) });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome });
    expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain('secret');
  });

  it('reports the outcome unknown when the wallet returns an invalid hash', async () => {
    const scene = await setUpScene(linea);
    const wallet = { ...scene.wallet, sendTransaction: async () => '0x12' };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  });
});

describe('a mined approval transaction', () => {
  const tamperingWallet = (scene: Scene, change: (call: EvmCall) => EvmCall): EvmWallet => ({
    ...scene.wallet,
    sendTransaction: (call) => scene.wallet.sendTransaction(change(call)),
  });
  const replaceIn = (from: RegExp, to: string) => (call: EvmCall) => ({
    ...call,
    data: call.data.replace(from, to) as Hex,
  });

  it.each<[string, (call: EvmCall) => EvmCall]>([
    ['spender', replaceIn(/9d85ca56217d2bb651b00f15e694eb7e713637d4/i, OTHER.slice(2))],
    ['amount', replaceIn(/.{64}$/, 'f'.repeat(64))],
    ['token', (call) => ({ ...call, to: linea.usdt.address })],
    // mint(address,uint256)
    ['calldata', replaceIn(/^0x095ea7b3/, '0x40c10f19')],
  ])('is not registered when its %s differs from the request', async (field, change) => {
    const scene = await setUpScene(linea);
    const { error, state } = await scene.delegateAndCatch({
      wallet: tamperingWallet(scene, change),
    });
    // Without the transaction, it is not known whether anything is approved.
    const outcome = field === 'transaction' ? 'unknown' : 'executed';
    expect(error).toMatchObject({ code: 'approval_mismatch', outcome, field });
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
    const again = await scene.delegateAndCatch({ resume: state });
    expect(again.error).toMatchObject({ code: 'approval_mismatch', field });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is not registered when another account sent it', async () => {
    const scene = await setUpScene(linea);
    const stranger = linea.walletFor(await linea.newAccount());
    const wallet = {
      ...scene.wallet,
      sendTransaction: ({ to, data }: EvmCall) =>
        stranger.sendTransaction({ to, data, account: stranger.account, chain: linea.chain }),
    };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'sender' });
  });

  it.each<[string, string, (response: object) => unknown]>([
    ['value', 'eth_getTransactionByHash', (response) => ({ ...response, value: '0x1' })],
    ['transaction', 'eth_getTransactionByHash', () => null],
  ])('is not registered when the last check finds a different %s in the response to %s', async (field, method, change) => {
    const scene = await setUpScene(linea);
    const publicClient = {
      async request(call: { method: string; params?: unknown }) {
        const response: unknown = await linea.publicClient.request(call as never);
        const isConfirmed = scene.progress.some(({ step }) => step === 'verified');
        return isConfirmed && call.method === method ? change(Object(response)) : response;
      },
    };
    const { error } = await scene.delegateAndCatch({ node: publicClient });
    // Without the transaction, it is not known whether anything is approved.
    const outcome = field === 'transaction' ? 'unknown' : 'executed';
    expect(error).toMatchObject({ code: 'approval_mismatch', outcome, field });
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
  });

  it('is not registered when the node switched to another chain', async () => {
    const scene = await setUpScene(linea);
    const publicClient = {
      async request(call: { method: string; params?: unknown }) {
        const isConfirmed = scene.progress.some(({ step }) => step === 'verified');
        const { publicClient: node } = isConfirmed ? ethereum : linea;
        return node.request(call as never) as Promise<unknown>;
      },
    };
    const { error } = await scene.delegateAndCatch({ node: publicClient });
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown', actual: '1' });
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
  });

  it('is not registered without a matching Approval event', async () => {
    const scene = await setUpScene(linea);
    const liar = await linea.deploy('LyingToken');
    const networks = {
      linea: { chainId: 59144, tokens: { usdc: { address: liar.address, decimals: 6 } } },
    };
    const { error } = await scene.delegateAndCatch({ networks });
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'event' });
  });

  it('is not registered when another transaction has changed the allowance since', async () => {
    const scene = await setUpScene(ethereum);
    const { error } = await scene.delegateAndCatch({
      currency: 'usdt',
      node: {
        async request(call) {
          // The user revokes the allowance elsewhere, after the receipt and before the flow reads it.
          if (call.method === 'eth_getTransactionByHash') await approve(scene, 0n);
          return ethereum.publicClient.request(call as never);
        },
      },
    });
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'executed', actual: '0' });
    expect(scene.requestCount('delegation.submitEvmApproval')).toBe(0);
  });

  it('is registered when a node that is behind returns a stale allowance at first', async () => {
    const scene = await setUpScene(linea);
    let stale = 2;
    const publicClient = {
      async request(call: { method: string; params?: unknown }) {
        const response: unknown = await linea.publicClient.request(call as never);
        const isMined = scene.progress.some(({ step }) => step === 'verified');
        return call.method === 'eth_call' && isMined && stale-- > 0
          ? `0x${'0'.repeat(64)}`
          : response;
      },
    };
    const result = await scene.delegate({ node: publicClient });
    expect(result.registration).toBe('accepted');
    expect(stale).toBe(-1);
  });

  it('is reported as reverted when it failed, and the flow can be resumed', async () => {
    const scene = await setUpScene(ethereum);
    const { account, chain } = scene;
    const wallet = {
      ...scene.wallet,
      async sendTransaction(call: EvmCall) {
        await approve(scene, 9n);
        const client = chain.walletFor(account);
        const { to, data, value } = call;
        const gas = 100_000n;
        return client.sendTransaction({ account, chain: chain.chain, to, data, value, gas });
      },
    };
    const { error, state } = await scene.delegateAndCatch({ currency: 'usdt', wallet });
    expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    await scene.delegate({ currency: 'usdt', resume: state });
    expect(scene.prompts).toEqual(['sign', 'reset', 'send']);
  });
});
