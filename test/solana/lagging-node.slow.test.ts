import { describe, expect, it } from 'vitest';
import { buildSolanaApproval, type SolanaWallet } from '../../src/solana/index.js';
import { toKitInstruction } from '../../src/solana/kit/index.js';
import { signerOf } from '../chain/local-vm.js';
import type { InjectedFault } from '../chain/solana-node.js';
import type { RpcRequest } from '../chain/solana-rpc.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';
import { mintOptions, someAddress } from './support/scene.js';

/** The methods that a delegation reads with. */
const READS = [
  'getMultipleAccounts',
  'getLatestBlockhash',
  'getSignatureStatuses',
  'getTransaction',
] as const;

/** Responds with a fault to the first `times` requests of a method. */
function failFirst(scene: NodeScene, method: string, fault: InjectedFault, times = 1): void {
  let left = times;
  scene.node.fault = (request) => {
    if (request.method !== method || left === 0) return undefined;
    left--;
    return fault;
  };
}

const withContext = (value: unknown): InjectedFault => ({
  result: { context: { slot: 1, apiVersion: '2.2.0' }, value },
});

/** A wallet that signs a transaction, sends it or not, and loses its own response. */
function losingWallet(scene: NodeScene, isSent: boolean): SolanaWallet {
  const { address, signMessage, signTransaction } = scene.wallet;
  return {
    address,
    signMessage,
    async sendTransaction(transaction) {
      const signed = await signTransaction(transaction);
      if (isSent) await scene.connection.sendRawTransaction(signed);
      throw new Error('the window was closed');
    },
  };
}

describe('a node that fails once', () => {
  it.each(
    READS.flatMap((method) => [
      [method, 'a 429', { status: 429 } as const],
      [method, 'a 503', { status: 503 } as const],
      [method, 'a broken connection', 'hang-up' as const],
      [method, 'an RPC error', { error: { code: -32005, message: 'Node is unhealthy' } }],
    ]) as [string, string, InjectedFault][],
  )('does not end a delegation when %s gets %s', async (method, _, fault) => {
    const scene = await setUpNodeScene();
    failFirst(scene, method, fault);
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('ends the delegation with chain_unreadable when it keeps failing, and nothing was sent', async () => {
    const scene = await setUpNodeScene();
    scene.node.fault = ({ method }) =>
      method === 'getMultipleAccounts' ? { status: 429 } : undefined;
    const { error } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it('leaves an approval that was sent resumable when it keeps failing', async () => {
    const scene = await setUpNodeScene();
    scene.node.fault = ({ method }) =>
      method === 'getSignatureStatuses' ? { status: 429 } : undefined;
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    scene.node.fault = () => undefined;
    expect((await scene.runDelegation({ resume: state })).registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });
});

describe('a node that lags', () => {
  it.each([
    [
      'the mint, the delegate and the token account',
      'getMultipleAccounts',
      withContext([null, null, null, null]),
    ],
    ['the signature', 'getSignatureStatuses', withContext([null])],
    ['the confirmed transaction', 'getTransaction', { result: null }],
  ] as const)('does not end a delegation when it does not know %s yet', async (_, method, fault) => {
    const scene = await setUpNodeScene();
    failFirst(scene, method, fault as InjectedFault);
    const result = await scene.runDelegation();
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('does not make a user revoke when it returns the token account as it was before', async () => {
    const scene = await setUpNodeScene();
    const { vm, mint, keypair, address } = scene;
    const old = buildSolanaApproval({
      ...mintOptions(mint),
      owner: address,
      spender: someAddress(),
      amount: 9n,
    });
    await vm.send(await signerOf(keypair), [toKitInstruction(old)]);
    const stale: unknown[] = [];
    scene.node.fault = async (request) => {
      if (request.method !== 'getMultipleAccounts' || scene.node.count('getTransaction') > 0) {
        return request.method === 'getMultipleAccounts'
          ? (stale.shift() as InjectedFault)
          : undefined;
      }
      const reply = await askDirectly(scene, request);
      stale.splice(0, stale.length, reply, reply);
      return undefined;
    };
    const result = await scene.runDelegation({ replaceSpender: true });
    expect(result.registration).toBe('accepted');
    expect(stale).toEqual([]);
  });

  it('never makes the flow approve again while it may not have seen the last valid block', async () => {
    const scene = await setUpNodeScene();
    scene.node.fault = ({ method }) => {
      if (method === 'sendTransaction') return { result: 'lost' };
      // This node is 200 slots behind the one that reported the block height.
      if (method !== 'getSignatureStatuses') return undefined;
      const context = { slot: scene.vm.slot - 200, apiVersion: '2.2.0' };
      scene.vm.advanceBlocks(100);
      return { result: { context, value: [null] } };
    };
    const { error, state } = await scene.delegateAndCatch();
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
  });
});

/** Returns what the node responds without a fault. */
async function askDirectly(scene: NodeScene, request: RpcRequest): Promise<InjectedFault> {
  const { respond } = await import('../chain/solana-rpc.js');
  return respond(scene.vm, request);
}

describe('an approval that was dropped', () => {
  it('is requested again on resume once its blockhash has expired, and not before', async () => {
    const scene = await setUpNodeScene();
    scene.node.fault = ({ method }) =>
      method === 'sendTransaction' ? { result: 'lost' } : undefined;
    const waiting = await scene.delegateAndCatch({ confirmationTimeout: 10_000 });
    expect(waiting.error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    const early = await scene.delegateAndCatch({
      confirmationTimeout: 10_000,
      resume: waiting.state,
      approveAgain: true,
    });
    expect(early.error).toMatchObject({ code: 'confirmation_timeout' });
    scene.vm.advanceBlocks();
    scene.node.fault = () => undefined;
    const result = await scene.runDelegation({ resume: early.state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('of a wallet that sends by itself is requested again only after the blockhash has expired, even with approveAgain', async () => {
    const scene = await setUpNodeScene();
    const lost = await scene.delegateAndCatch({ wallet: losingWallet(scene, false) });
    expect(lost.error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    const early = await scene.delegateAndCatch({ resume: lost.state, approveAgain: true });
    expect(early.error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.prompts).toEqual(['message', 'transaction']);
    scene.vm.advanceBlocks();
    const result = await scene.runDelegation({ resume: early.state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('can be requested again although the end of its blockhash could not be read', async () => {
    const scene = await setUpNodeScene();
    const wallet = losingWallet(scene, false);
    const lost = await scene.delegateAndCatch({
      wallet: {
        ...wallet,
        sendTransaction: (...call) => {
          scene.node.fault = ({ method }) =>
            method === 'getLatestBlockhash' ? { status: 503 } : undefined;
          return wallet.sendTransaction?.(...call) ?? Promise.reject(new Error('no wallet'));
        },
      },
    });
    expect(lost.state?.notes['lastValidBlockHeight']).toBeUndefined();
    scene.node.fault = () => undefined;
    const early = await scene.delegateAndCatch({ resume: lost.state });
    expect(early.error).toMatchObject({ code: 'approval_unknown' });
    scene.vm.advanceBlocks();
    expect((await scene.runDelegation({ resume: early.state })).registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });
});

describe('the local clock of a Solana delegation', () => {
  it.each([
    -86_400_000, -3_600_000, 3_600_000, 86_400_000,
  ])('that is wrong by %d ms never makes a resumed flow approve twice', async (offset) => {
    const scene = await setUpNodeScene();
    const { mock, vm } = scene;
    vm.now = () => mock.now;
    const runtime = {
      now: () => mock.now + offset,
      sleep: async (milliseconds: number) => void mock.advance(milliseconds),
    };
    const wallet = losingWallet(scene, true);
    const { error, state } = await scene.delegateAndCatch({ wallet, runtime });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    vm.advanceBlocks();
    const result = await scene.runDelegation({ wallet, runtime, resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(vm.sentCount).toBe(1);
  });

  /** Without it, the limit that is there already would do. */
  const again = { approveAgain: true };

  it('does not matter for an older approval of the same amount, which is never taken for the lost one', async () => {
    const scene = await setUpNodeScene();
    await scene.runDelegation();
    const lost = await scene.delegateAndCatch({ ...again, wallet: losingWallet(scene, false) });
    expect(lost.error).toMatchObject({ code: 'wallet_failed' });
    const early = await scene.delegateAndCatch({ resume: lost.state });
    expect(early.error).toMatchObject({ code: 'approval_unknown' });
  });

  it('does not matter for a history without the newest transaction, whose older approvals prove nothing', async () => {
    const scene = await setUpNodeScene();
    await scene.runDelegation();
    // Another blockhash, or the second approval would be the same transaction.
    scene.vm.advanceBlocks(1);
    await scene.runDelegation(again);
    const lost = await scene.delegateAndCatch({ ...again, wallet: losingWallet(scene, false) });
    scene.vm.advanceBlocks();
    const oldest = scene.vm.history(scene.tokenAccount).at(-1);
    const entry = { signature: oldest?.signature, slot: 1, err: null, memo: null };
    scene.node.fault = ({ method }) =>
      method === 'getSignaturesForAddress' ? { result: [entry] } : undefined;
    const { error } = await scene.delegateAndCatch({ resume: lost.state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
  });

  it('does not matter for a history that no longer has the transaction before the approval', async () => {
    const scene = await setUpNodeScene();
    await scene.runDelegation();
    const lost = await scene.delegateAndCatch({ ...again, wallet: losingWallet(scene, true) });
    scene.vm.advanceBlocks();
    scene.node.fault = ({ method }) =>
      method === 'getSignaturesForAddress' ? { result: [] } : undefined;
    const { error } = await scene.delegateAndCatch({ resume: lost.state });
    expect(error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    expect(scene.prompts).toHaveLength(4);
  });
});
