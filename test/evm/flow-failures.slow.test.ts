import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EvmCall, type EvmWallet, isChainError } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { approve } from './support/chain-actions.js';
import { type Scene, setScene } from './support/scene.js';

let linea: LocalChain;
let ethereum: LocalChain;

beforeAll(async () => {
  [linea, ethereum] = await Promise.all([startLocalChain(59144), startLocalChain(1)]);
});

afterAll(async () => {
  await Promise.all([linea.stop(), ethereum.stop()]);
});

const OTHER = '0x52908400098527886E0F7030069857D2E4169EE7';

describe('the wrong chain', () => {
  it('is detected before the wallet is asked', async () => {
    const scene = await setScene(linea);
    const wallet = { ...scene.wallet, getChainId: async () => 1 };
    const { error } = await scene.failing({ wallet });
    const facts = { code: 'wrong_chain', outcome: 'not_sent', expected: '59144', actual: '1' };
    expect(error).toMatchObject(facts);
    expect(scene.asked).toEqual([]);
  });

  it('is detected when the node reads another chain', async () => {
    const scene = await setScene(linea);
    const { error } = await scene.failing({ publicClient: ethereum.publicClient });
    expect(error).toMatchObject({ code: 'wrong_chain', expected: '59144', actual: '1' });
    expect(scene.asked).toEqual([]);
  });

  it('is detected when the user switches after signing', async () => {
    const scene = await setScene(linea);
    const wallet = {
      ...scene.wallet,
      getChainId: async () => (scene.asked.includes('sign') ? 1 : 59144),
    };
    const { error, state } = await scene.failing({ wallet });
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'not_sent' });
    expect(scene.asked).toEqual(['sign']);
    await scene.delegate({ resume: state });
    expect(scene.asked).toEqual(['sign', 'send']);
  });

  it('is reported when the approval never appears on this chain', async () => {
    const scene = await setScene(linea);
    let chainId = 59144;
    const wallet = {
      ...scene.wallet,
      getChainId: async () => chainId,
      async sendTransaction() {
        chainId = 1;
        return `0x${'12'.repeat(32)}`;
      },
    };
    const { error, state } = await scene.failing({ wallet, confirmationTimeout: 50 });
    expect(error).toMatchObject({ code: 'wrong_chain', outcome: 'unknown', actual: '1' });
    expect(state?.approval?.status).toBe('sent');
  });

  it('is detected when the token is not there', async () => {
    const scene = await setScene(linea);
    const tokens = { usdc: { address: OTHER, decimals: 6 } };
    const networks = { linea: { chainId: 59144, tokens } };
    const { error } = await scene.failing({ networks });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(scene.asked).toEqual([]);
  });
});

describe('a prompt that the user declines', () => {
  const declined = Object.assign(new Error('User rejected the request.'), { code: 4001 });
  const wrapped = Object.assign(new Error('Details: no'), { cause: { cause: declined } });

  it.each([
    ['signMessage', declined, []],
    ['signMessage', wrapped, []],
    ['sendTransaction', declined, ['sign']],
    ['sendTransaction', wrapped, ['sign']],
  ] as const)('for %s ends the flow, and is not repeated', async (method, reason, before) => {
    const scene = await setScene(linea);
    let prompts = 0;
    const wallet = {
      ...scene.wallet,
      [method]: async () => {
        prompts++;
        throw reason;
      },
    };
    const { error, state } = await scene.failing({ wallet });
    expect(isChainError(error, 'user_rejected')).toBe(true);
    expect(error).toMatchObject({ outcome: 'not_sent' });
    expect(prompts).toBe(1);
    expect(scene.asked).toEqual(before);
    expect(scene.progress.at(-1)).toMatchObject({ status: 'failed' });
    await scene.delegate({ resume: state });
    expect(scene.asked).toEqual(['sign', 'send']);
  });

  it('can be the reset of the old limit', async () => {
    const scene = await setScene(ethereum);
    await approve(scene, 5n);
    const wallet = { ...scene.wallet, sendTransaction: () => Promise.reject(declined) };
    const { error, state } = await scene.failing({ currency: 'usdt', wallet });
    expect(error).toMatchObject({ code: 'user_rejected' });
    await scene.delegate({ currency: 'usdt', resume: state });
    expect(scene.asked).toEqual(['sign', 'reset', 'send']);
  });
});

describe('a wallet that fails', () => {
  const failing = (scene: Scene, reason: unknown): EvmWallet => ({
    ...scene.wallet,
    sendTransaction: () => Promise.reject(reason),
  });

  it('because it cannot pay the fee has sent nothing', async () => {
    const scene = await setScene(linea);
    const { address } = scene.account;
    await linea.testClient.setBalance({ address, value: 0n });
    const { error, state } = await scene.failing();
    expect(error).toMatchObject({ code: 'insufficient_funds', outcome: 'not_sent' });
    await linea.testClient.setBalance({ address, value: 10n ** 18n });
    await scene.delegate({ resume: state });
    expect(scene.asked).toEqual(['sign', 'send', 'send']);
    expect(await scene.transactions()).toBe(1);
  });

  it.each([
    [4100, 'not_sent'],
    [4900, 'not_sent'],
    [-32002, 'not_sent'],
    [-32602, 'not_sent'],
    [-32603, 'unknown'],
    [-32000, 'unknown'],
  ])('with code %d: %s', async (code, outcome) => {
    const scene = await setScene(linea);
    const reason = Object.assign(new Error('https://node.example/secret-key'), { code });
    const { error } = await scene.failing({ wallet: failing(scene, reason) });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome });
    expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain('secret');
  });

  it('by returning something other than a hash may have sent it', async () => {
    const scene = await setScene(linea);
    const wallet = { ...scene.wallet, sendTransaction: async () => '0x12' };
    const { error } = await scene.failing({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
  });
});

describe('a mined transaction', () => {
  const tampering = (scene: Scene, change: (call: EvmCall) => EvmCall): EvmWallet => ({
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
    ['calldata', (call) => ({ ...call, data: `${call.data}00` })],
  ])('is compared with the request: %s', async (field, change) => {
    const scene = await setScene(linea);
    const { error, state } = await scene.failing({ wallet: tampering(scene, change) });
    expect(error).toMatchObject({ code: 'approval_mismatch', outcome: 'executed', field });
    expect(scene.calls('delegation.submitEvmApproval')).toBe(0);
    const again = await scene.failing({ resume: state });
    expect(again.error).toMatchObject({ code: 'approval_mismatch', field });
    expect(scene.asked).toEqual(['sign', 'send']);
  });

  it('must be sent by the wallet itself', async () => {
    const scene = await setScene(linea);
    const stranger = linea.walletFor(await linea.newAccount());
    const wallet = {
      ...scene.wallet,
      sendTransaction: ({ to, data }: EvmCall) =>
        stranger.sendTransaction({ to, data, account: stranger.account, chain: linea.chain }),
    };
    const { error } = await scene.failing({ wallet });
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'sender' });
  });

  it.each<[string, string, (answer: object) => unknown]>([
    ['value', 'eth_getTransactionByHash', (answer) => ({ ...answer, value: '0x1' })],
    ['transaction', 'eth_getTransactionByHash', () => null],
    ['transaction', 'eth_getTransactionReceipt', (answer) => ({ ...answer, status: '0x0' })],
    ['transaction', 'eth_getTransactionReceipt', () => null],
    ['event', 'eth_getTransactionReceipt', (answer) => ({ ...answer, logs: [] })],
  ])('is checked again before it is registered: %s by %s', async (field, method, change) => {
    const scene = await setScene(linea);
    const publicClient = {
      async request(call: { method: string; params?: unknown }) {
        const answer: unknown = await linea.publicClient.request(call as never);
        const isConfirmed = scene.progress.some(({ step }) => step === 'verified');
        return isConfirmed && call.method === method ? change(Object(answer)) : answer;
      },
    };
    const { error } = await scene.failing({ publicClient });
    expect(error).toMatchObject({ code: 'approval_mismatch', outcome: 'executed', field });
    expect(scene.calls('delegation.submitEvmApproval')).toBe(0);
  });

  it('proves nothing when the node has changed its chain', async () => {
    const scene = await setScene(linea);
    const publicClient = {
      async request(call: { method: string; params?: unknown }) {
        const isConfirmed = scene.progress.some(({ step }) => step === 'verified');
        if (isConfirmed && call.method === 'eth_chainId') return '0x1';
        return linea.publicClient.request(call as never) as Promise<unknown>;
      },
    };
    const { error } = await scene.failing({ publicClient });
    expect(error).toMatchObject({ code: 'wrong_chain', actual: '1' });
    expect(scene.calls('delegation.submitEvmApproval')).toBe(0);
  });

  it('must have the event of the approval', async () => {
    const scene = await setScene(linea);
    const liar = await linea.deploy('LyingToken');
    const networks = {
      linea: { chainId: 59144, tokens: { usdc: { address: liar.address, decimals: 6 } } },
    };
    const { error } = await scene.failing({ networks });
    expect(error).toMatchObject({ code: 'approval_mismatch', field: 'event' });
  });

  it('may be undone by another transaction, and is not registered then', async () => {
    const scene = await setScene(ethereum);
    const { error } = await scene.failing({
      currency: 'usdt',
      publicClient: {
        async request(call) {
          // Between the receipt and the look at the allowance the user revokes it elsewhere.
          if (call.method === 'eth_getTransactionByHash') await approve(scene, 0n);
          return ethereum.publicClient.request(call as never);
        },
      },
    });
    expect(error).toMatchObject({ code: 'allowance_raced', outcome: 'executed', actual: '0' });
    expect(scene.calls('delegation.submitEvmApproval')).toBe(0);
  });

  it('may be behind on another node of the same address', async () => {
    const scene = await setScene(linea);
    let stale = 2;
    const publicClient = {
      async request(call: { method: string; params?: unknown }) {
        const answer: unknown = await linea.publicClient.request(call as never);
        const isMined = scene.progress.some(({ step }) => step === 'verified');
        return call.method === 'eth_call' && isMined && stale-- > 0
          ? `0x${'0'.repeat(64)}`
          : answer;
      },
    };
    const result = await scene.delegate({ publicClient });
    expect(result.registration).toBe('accepted');
    expect(stale).toBe(-1);
  });

  it('may have failed', async () => {
    const scene = await setScene(ethereum);
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
    const { error, state } = await scene.failing({ currency: 'usdt', wallet });
    expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
    expect(state?.approval).toBeUndefined();
    await scene.delegate({ currency: 'usdt', resume: state });
    expect(scene.asked).toEqual(['sign', 'reset', 'send']);
  });
});
