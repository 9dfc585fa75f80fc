import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EvmCall, EvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain, withToken } from '../chain/local-chain.js';
import { waitUntilMined } from './support/chain-actions.js';
import { type Scene, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterEach(() => chain.startMining());
afterAll(() => chain.stop());

type Rpc = (method: string, params: unknown[]) => Promise<unknown>;

const rpc: Rpc = (method, params) => chain.testClient.request({ method, params } as never);

/** A token that blocks the account just before the approval is mined, which then fails. */
async function setUp() {
  const token = await chain.deploy('BlocklistToken');
  const scene = await setUpScene(withToken(chain, token));
  const { account } = scene;
  const sent: { hash: Hex; raw: Hex }[] = [];
  const wallet: EvmWallet = {
    ...scene.wallet,
    async sendTransaction({ to, data }: EvmCall) {
      scene.prompts.push('send');
      const args = [account.address, true];
      await waitUntilMined(
        chain,
        await chain.bank.writeContract({
          chain: chain.chain,
          ...token,
          functionName: 'setBlocked',
          args,
        }),
      );
      const own = chain.walletFor(account);
      const call = { account, chain: chain.chain, to, data, gas: 100_000n };
      const raw = await own.signTransaction(await own.prepareTransactionRequest(call));
      const hash = await own.sendRawTransaction({ serializedTransaction: raw });
      await waitUntilMined(chain, hash);
      sent.push({ hash, raw });
      return hash;
    },
  };
  /** Replaces the blocks of the approval and of the blocking, with these transactions in the first. */
  const reorganize = (transactions: Hex[]) =>
    rpc('anvil_reorg', [2, transactions.map((raw) => [raw, 0])]);
  return { scene, wallet, sent, reorganize };
}

async function failed() {
  const all = await setUp();
  const { error, state } = await all.scene.delegateAndCatch({ wallet: all.wallet });
  expect(error).toMatchObject({ code: 'transaction_reverted', outcome: 'rejected' });
  expect(state?.approval).toBeUndefined();
  return { ...all, state };
}

const sends = ({ prompts }: Scene) => prompts.filter((what) => what === 'send').length;

describe('a failed approval whose block a reorganization removes', () => {
  it('is used by a resumed flow when it succeeded in another block', async () => {
    const { scene, state, sent, reorganize } = await failed();
    await reorganize(sent.map(({ raw }) => raw));
    expect(await scene.allowance()).toBe(100_500_000n);
    const result = await scene.delegate({ resume: state });
    expect(result).toMatchObject({ registration: 'accepted', transactionId: sent[0]?.hash });
    expect(sends(scene)).toBe(1);
    expect(await scene.transactionCount()).toBe(1);
  });

  it('is also used when the user declined another approval before the reorganization', async () => {
    const { scene, state, sent, reorganize } = await failed();
    const declining: EvmWallet = {
      ...scene.wallet,
      sendTransaction: () => Promise.reject({ code: 4001, message: 'User denied' }),
    };
    const options = { resume: state, wallet: declining, dryRun: false } as const;
    const declined = await scene.delegateAndCatch(options);
    expect(declined.error).toMatchObject({ code: 'user_rejected' });
    await reorganize(sent.map(({ raw }) => raw));
    const result = await scene.delegate({ resume: declined.state });
    expect(result).toMatchObject({ registration: 'accepted', transactionId: sent[0]?.hash });
    expect(await scene.transactionCount()).toBe(1);
  });

  it('is waited for by a resumed flow while it is pending again', async () => {
    const { scene, state, sent, reorganize } = await failed();
    await reorganize([]);
    await chain.stopMining();
    await rpc('eth_sendRawTransaction', [sent[0]?.raw]);
    const waiting = await scene.delegateAndCatch({ resume: state, confirmationTimeout: 50 });
    expect(waiting.error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    await chain.testClient.mine({ blocks: 1 });
    const result = await scene.delegate({ resume: waiting.state });
    expect(result).toMatchObject({ registration: 'accepted', transactionId: sent[0]?.hash });
    expect(sends(scene)).toBe(1);
    expect(await scene.transactionCount()).toBe(1);
  });

  it('is requested again when no node knows it any more', async () => {
    const { scene, state, reorganize } = await failed();
    await reorganize([]);
    expect((await scene.delegate({ resume: state })).registration).toBe('accepted');
    expect(sends(scene)).toBe(2);
    expect(await scene.transactionCount()).toBe(1);
  });

  it('fails no flow that waits for more confirmations, when it succeeds in another block', async () => {
    const { scene, wallet, sent, reorganize } = await setUp();
    let looks = 0;
    const sleep = async () => {
      if (++looks === 1) await reorganize(sent.map(({ raw }) => raw));
      await chain.testClient.mine({ blocks: 1 });
    };
    const { now } = scene.options().runtime ?? {};
    const result = await scene.delegate({ wallet, confirmations: 8, runtime: { now, sleep } });
    expect(result).toMatchObject({ registration: 'accepted', transactionId: sent[0]?.hash });
    expect(looks).toBeGreaterThan(2);
    expect(sends(scene)).toBe(1);
  });
});

it('a failed approval that is still in its block is requested again by a resumed flow', async () => {
  const { scene, state } = await failed();
  const args = [scene.account.address, false];
  const unblock = { chain: chain.chain, ...scene.chain.usdc, functionName: 'setBlocked', args };
  await waitUntilMined(chain, await chain.bank.writeContract(unblock));
  expect((await scene.delegate({ resume: state })).registration).toBe('accepted');
  expect(sends(scene)).toBe(2);
  expect(await scene.transactionCount()).toBe(2);
});
