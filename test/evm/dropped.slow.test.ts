import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  buildApprovalCalls,
  type DelegationState,
  type EvmCall,
  type EvmWallet,
} from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { losingItsResponse } from './support/chain-actions.js';
import { SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterEach(() => chain.startMining());
afterAll(() => chain.stop());

type Scene = Awaited<ReturnType<typeof setUpScene>>;

const SOON = { confirmationTimeout: 200 };

const drop = (hash: string) =>
  chain.testClient.request({ method: 'anvil_dropTransaction', params: [hash] } as never);

const hashOf = (state: DelegationState | undefined): string =>
  state?.approval?.transactionId ?? 'no transaction';

/** Sends a call with a nonce and a fee of the user's choice, as a wallet does to replace another. */
const sendWith = (
  { account }: Scene,
  call: Pick<EvmCall, 'to' | 'data'>,
  nonce: number,
  times: bigint,
) =>
  chain.walletFor(account).sendTransaction({
    account,
    chain: chain.chain,
    to: call.to,
    data: call.data,
    nonce,
    gas: 100_000n,
    maxFeePerGas: 10n ** 10n * times,
    maxPriorityFeePerGas: times,
  });

describe('a dropped approval transaction', () => {
  async function dropped(scene: Scene) {
    await chain.stopMining();
    const first = await scene.delegateAndCatch({
      ...SOON,
      onProgress: ({ step, status, state }) => {
        if (step === 'approval-sent' && status === 'done') void drop(hashOf(state));
      },
    });
    await chain.startMining();
    return first;
  }

  it('is requested again by a resumed flow, after an earlier run waited for it in vain', async () => {
    const scene = await setUpScene(chain);
    const { error, state } = await dropped(scene);
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(String(error)).toContain('does not know it any more');
    expect(state?.approval?.status).toBe('sent');
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts.filter((what) => what === 'send')).toHaveLength(2);
    expect(await scene.transactionCount()).toBe(1);
  });

  it('is requested again at once with approveAgain', async () => {
    const scene = await setUpScene(chain);
    await chain.stopMining();
    const page = new AbortController();
    const { state } = await scene.delegateAndCatch({
      signal: page.signal,
      onProgress: ({ step }) => step === 'confirmed' && page.abort(new Error('reload')),
    });
    await drop(hashOf(state));
    await chain.startMining();
    const waiting = await scene.delegateAndCatch({ ...SOON, resume: state });
    expect(waiting.error).toMatchObject({ code: 'confirmation_timeout' });
    expect(scene.prompts).toEqual(['sign', 'send']);
    const result = await scene.delegate({ resume: state, approveAgain: true });
    expect(result.registration).toBe('accepted');
    expect(await scene.transactionCount()).toBe(1);
  });

  it('is not requested again while it is pending, not even with approveAgain', async () => {
    const scene = await setUpScene(chain);
    await chain.stopMining();
    const { error, state } = await scene.delegateAndCatch(SOON);
    expect(String(error)).toContain('do not approve again');
    await scene.delegateAndCatch({ ...SOON, resume: state, approveAgain: true });
    expect(scene.prompts.filter((what) => what === 'send')).toHaveLength(1);
    await chain.testClient.mine({ blocks: 1 });
    const result = await scene.delegate({ resume: state, approveAgain: true });
    expect(result.transactionId).toBe(hashOf(state));
    expect(await scene.transactionCount()).toBe(1);
  });

  it('is not requested again when the node finds it while the resumed flow looks', async () => {
    const scene = await setUpScene(chain);
    const { state } = await dropped(scene);
    // Another node still had the transaction: the same call with the same nonce is mined after all.
    const [call] = buildApprovalCalls({
      ...{ network: 'linea', currency: 'usdc', amount: '100.5' },
      networks: chain.networks,
      spender: SPENDER,
    });
    const hash = await sendWith(scene, call ?? { to: '0x', data: '0x' }, 0, 5n);
    const before = scene.prompts.length;
    const result = await scene.delegate({ resume: state });
    expect(result).toMatchObject({ registration: 'accepted', transactionId: hash });
    expect(scene.prompts.slice(before)).not.toContain('send');
  });

  it('is requested again after a reorganization removed it from the chain', async () => {
    const scene = await setUpScene(chain);
    scene.mock.drop('delegation.submitEvmApproval', 'before-processing');
    const { state } = await scene.delegateAndCatch();
    expect(state?.approval?.status).toBe('verified');
    await chain.testClient.request({ method: 'anvil_reorg', params: [1, []] } as never);
    expect(await scene.transactionCount()).toBe(0);
    const waiting = await scene.delegateAndCatch({ ...SOON, resume: state });
    expect(waiting.error).toMatchObject({ code: 'confirmation_timeout' });
    const result = await scene.delegate({ resume: waiting.state });
    expect(result.registration).toBe('accepted');
    expect(await scene.transactionCount()).toBe(1);
  });
});

describe('an approval that the node never saw pending', () => {
  /** A wallet whose user replaces the transaction before the node knows it. */
  const replacing = (
    scene: Scene,
    change: (call: EvmCall) => Pick<EvmCall, 'to' | 'data'>,
  ): EvmWallet => ({
    ...scene.wallet,
    async sendTransaction(call) {
      scene.prompts.push('send');
      await chain.stopMining();
      const hash = await sendWith(scene, call, 0, 1n);
      await sendWith(scene, change(call), 0, 5n);
      await chain.testClient.mine({ blocks: 3 });
      return hash;
    },
  });

  it('is followed by its event when the user sped it up', async () => {
    const scene = await setUpScene(chain);
    const result = await scene.delegate({ wallet: replacing(scene, (call) => call) });
    expect(result.registration).toBe('accepted');
    expect(scene.progress.map(({ message }) => message)).toContain(
      'Your wallet sped up the transaction.',
    );
  });

  it('is followed by its nonce when the node does not search events', async () => {
    const scene = await setUpScene(chain);
    const publicClient = limitedNode(0n);
    const wallet = replacing(scene, (call) => call);
    const result = await scene.delegate({ wallet, node: publicClient });
    expect(result.registration).toBe('accepted');
  });

  it('is waited for when the user cancelled it: no node has shown which nonce it had', async () => {
    const scene = await setUpScene(chain);
    const toSelf = () => ({ to: scene.account.address, data: '0x' as const });
    const wallet = replacing(scene, toSelf);
    const { error, state } = await scene.delegateAndCatch({ ...SOON, wallet });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    await chain.startMining();
    const result = await scene.delegate({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(await scene.transactionCount()).toBe(2);
  });
});

/** A node that searches events only in a limited number of blocks. */
function limitedNode(maxBlocks: bigint, searched: bigint[] = []) {
  return {
    async request(call: { method: string; params?: unknown }) {
      if (call.method === 'eth_getLogs') {
        const [{ fromBlock, toBlock }] = call.params as [{ fromBlock: Hex; toBlock: Hex }];
        const blocks = BigInt(toBlock) - BigInt(fromBlock) + 1n;
        if (blocks > maxBlocks) throw new Error('query exceeds max block range');
        searched.push(BigInt(fromBlock));
      }
      return chain.publicClient.request(call as never) as Promise<unknown>;
    },
  };
}

describe('an approval whose hash was lost', () => {
  const losing = ({ wallet }: Scene) => losingItsResponse(chain, wallet);

  it('is found in ranges of blocks that the node accepts, the newest first', async () => {
    const limits = [650n, 500n];
    const lost = await Promise.all(
      limits.map(async (maxBlocks) => {
        const scene = await setUpScene(chain);
        const { state } = await scene.delegateAndCatch({ wallet: losing(scene) });
        return { maxBlocks, scene, state };
      }),
    );
    await chain.testClient.mine({ blocks: 700 });
    for (const { maxBlocks, scene, state } of lost) {
      const searched: bigint[] = [];
      const publicClient = limitedNode(maxBlocks, searched);
      const result = await scene.delegate({ resume: state, node: publicClient });
      expect(result.registration).toBe('accepted');
      expect(searched).toHaveLength(2);
      expect(Number(searched[0])).toBeGreaterThan(Number(searched[1]));
      expect(await scene.transactionCount()).toBe(1);
    }
  });

  it('is found by its nonce when the node searches no events', async () => {
    const scene = await setUpScene(chain);
    const { state } = await scene.delegateAndCatch({ wallet: losing(scene) });
    const result = await scene.delegate({ resume: state, node: limitedNode(0n) });
    expect(result.registration).toBe('accepted');
    expect(await scene.transactionCount()).toBe(1);
  });
});

describe('a limit that the user changes in the wallet', () => {
  const editing = (scene: Scene, units: bigint): EvmWallet => ({
    ...scene.wallet,
    sendTransaction: (call) =>
      scene.wallet.sendTransaction({
        ...call,
        data: `${call.data.slice(0, -64)}${units.toString(16).padStart(64, '0')}` as Hex,
      }),
  });

  it.each([
    false,
    true,
  ])('is named, and resuming with that amount uses the approval (unlimited: %s)', async (unlimited) => {
    const scene = await setUpScene(chain);
    const limit = unlimited ? { unlimited, cap: '200' } : {};
    const { error, state } = await scene.delegateAndCatch({
      ...limit,
      wallet: editing(scene, 40_250_000n),
    });
    const facts = { code: 'approval_mismatch', field: 'amount', approvedAmount: '40.25' };
    expect(error).toMatchObject(facts);
    expect(String(error)).toContain('the wallet approved 40.25');
    const again = await scene.delegateAndCatch({ ...limit, resume: state });
    expect(again.error).toMatchObject(facts);
    const other = await scene.delegateAndCatch({ resume: state, amount: '41' });
    expect(other.error).toMatchObject({ code: 'state_mismatch' });
    const result = await scene.delegate({ resume: state, amount: '40.25' });
    expect(result).toMatchObject({ registration: 'accepted', amount: '40.25' });
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it('is found on the chain when the response of the wallet was lost', async () => {
    const scene = await setUpScene(chain);
    const wallet = losingItsResponse(chain, editing(scene, 7_000_000n));
    const { state } = await scene.delegateAndCatch({ wallet });
    const { error } = await scene.delegateAndCatch({ resume: state });
    expect(error).toMatchObject({ code: 'approval_mismatch', approvedAmount: '7' });
  });
});
