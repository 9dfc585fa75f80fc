import { describe, expect, it } from 'vitest';
import type { DelegationState, SolanaConnection, SolanaWallet } from '../../src/solana/index.js';
import { buildSolanaApproval } from '../../src/solana/index.js';
import { toKitInstruction } from '../../src/solana/kit/index.js';
import { signerOf } from '../chain/local-vm.js';
import { resealed } from '../delegation/support/mutations.js';
import { afterReload, mintOptions, type Scene, setUpScene, someAddress } from './support/scene.js';

/** Returns a copy of the connection with some methods replaced. */
const withConnection = (scene: Scene, changes: Partial<SolanaConnection>): SolanaConnection => ({
  ...scene.vm.connection,
  ...changes,
});

/** Creates a wallet that signs and sends a transaction itself. */
function sendingWallet(
  scene: Scene,
  send: (signed: Uint8Array) => Promise<string> = (signed) =>
    scene.vm.connection.sendRawTransaction(signed),
): SolanaWallet {
  const { address, signMessage, signTransaction } = scene.wallet;
  return {
    address,
    signMessage,
    sendTransaction: async (transaction) => send(await signTransaction(transaction)),
  };
}

describe('a resumed Solana delegation', () => {
  it('completes from the state of every progress event with one approval in total', async () => {
    const completed = await setUpScene();
    await completed.runDelegation();
    for (const index of completed.progress.keys()) {
      const scene = await setUpScene();
      const page = new AbortController();
      const closed = new Error('the page was closed');
      let eventCount = 0;
      let resume: DelegationState | undefined;
      const interrupted = scene.runDelegation({
        signal: page.signal,
        onProgress({ state }) {
          if (eventCount++ !== index) return;
          resume = afterReload(state);
          page.abort(closed);
        },
      });
      // After the last event there is nothing left to abort.
      await interrupted.catch((error: unknown) => expect(error).toBe(closed));
      const result = await scene.runDelegation({ resume });
      expect(result.registration).toMatch(/accepted|already-approved|found-in-wallets/);
      expect(scene.vm.sentCount).toBe(1);
      expect(scene.registeredWallets()).toHaveLength(1);
    }
  });

  it('prompts the wallet only for missing signatures', async () => {
    const scene = await setUpScene();
    const { error, state } = await scene.delegateAndCatch({
      node: withConnection(scene, {
        getSignatureStatuses: () => Promise.reject(new Error('down')),
      }),
    });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.prompts).toEqual(['message', 'transaction']);
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('requests a new signature after the token expired, but no new approval', async () => {
    const scene = await setUpScene();
    const { state } = await scene.delegateAndCatch({
      node: withConnection(scene, {
        getSignatureStatuses: () => Promise.reject(new Error('down')),
      }),
    });
    scene.mock.advance('11 minutes');
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction', 'message']);
    expect(scene.vm.sentCount).toBe(1);
    expect(scene.requestCount('delegation.getToken')).toBe(2);
  });

  it('requests a new signature when the saved message is not of this wallet and token', async () => {
    const scene = await setUpScene();
    const { state } = await scene.delegateAndCatch({
      node: withConnection(scene, {
        getSignatureStatuses: () => Promise.reject(new Error('down')),
      }),
    });
    if (!state?.message) throw new Error('no message was saved');
    const { message } = state;
    const forged = [
      { ...message, text: message.text.replace('Prove', 'Steal') },
      { ...message, text: message.text.replace(/Nonce: .*/, 'Nonce: other') },
      { ...message, signature: transactionIdOf(state) },
      { ...message, expiresAt: 0 },
    ];
    for (const [index, changed] of forged.entries()) {
      scene.mock.advance('1 second');
      const { error, state: next } = await scene.delegateAndCatch({
        resume: resealed({ ...state, message: changed }),
        node: withConnection(scene, {
          getTransaction: () =>
            Promise.resolve(scene.vm.getExecuted(transactionIdOf(state)) ?? null),
        }),
        client: {
          delegation: {
            getToken: (input, options) => scene.client.delegation.getToken(input, options),
            submitSolanaApproval: async ({ sigMessage }) => {
              expect(sigMessage).not.toBe(changed.text);
              return { success: false };
            },
          },
        },
      });
      expect(error).toMatchObject({ code: 'proof_refused' });
      expect(next?.message?.text).not.toBe(changed.text);
      expect(scene.prompts.filter((what) => what === 'message')).toHaveLength(2 + index);
    }
  });

  it('is refused when the saved state is of another delegation', async () => {
    const scene = await setUpScene();
    await scene.runDelegation();
    const resume = afterReload(scene.progress[3]?.state as DelegationState);
    const { error } = await scene.delegateAndCatch({ resume, amount: '7' });
    expect(error).toMatchObject({ code: 'state_mismatch', fields: ['amount', 'allowance'] });
  });
});

const transactionIdOf = (state: DelegationState) => state.approval?.transactionId ?? '';

describe('a Solana approval with an expired blockhash', () => {
  const connectionLosingTransactions = (scene: Scene): SolanaConnection =>
    withConnection(scene, { sendRawTransaction: async () => 'lost' });

  it('is requested again on resume when it is not on the chain', async () => {
    const scene = await setUpScene();
    const connection = connectionLosingTransactions(scene);
    const waiting = withConnection(scene, {
      ...connection,
      async getSignatureStatuses(...call) {
        const statuses = await scene.vm.connection.getSignatureStatuses(...call);
        scene.vm.advanceBlocks(60);
        return statuses;
      },
    });
    const { error, state } = await scene.delegateAndCatch({ node: waiting });
    expect(error).toMatchObject({ code: 'transaction_expired', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('is not requested again while only some nodes consider the blockhash expired', async () => {
    const scene = await setUpScene();
    const connection = withConnection(scene, {
      ...connectionLosingTransactions(scene),
      getBlockHeight: async (commitment) =>
        (await scene.vm.connection.getBlockHeight()) + (commitment === 'finalized' ? 0 : 1_000),
    });
    const { error, state } = await scene.delegateAndCatch({ node: connection });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
  });

  it('is registered when it reached the chain in the last valid block', async () => {
    const scene = await setUpScene();
    const { connection } = scene.vm;
    let held: Uint8Array | undefined;
    const late = withConnection(scene, {
      async sendRawTransaction(bytes) {
        held = bytes;
        return 'on its way';
      },
      async getBlockHeight() {
        // The transaction arrives after the flow reads the height and before it reads the status.
        if (held) await connection.sendRawTransaction(held);
        held = undefined;
        return 1_000_000;
      },
    });
    const result = await scene.runDelegation({ node: late });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('is judged by the new blockhash when the wallet replaced it', async () => {
    const scene = await setUpScene();
    const { wallet, vm } = scene;
    const refreshing = {
      ...wallet,
      async signTransaction(transaction: Uint8Array) {
        // The user took 200 blocks to sign, and the wallet inserted a new blockhash.
        vm.advanceBlocks(200);
        const { blockhash } = await vm.connection.getLatestBlockhash();
        const { Transaction } = await import('@solana/web3.js');
        const changed = Transaction.from(transaction);
        changed.recentBlockhash = blockhash;
        return wallet.signTransaction(
          Uint8Array.from(changed.serialize({ requireAllSignatures: false })),
        );
      },
    };
    let sendCount = 0;
    const lossy = withConnection(scene, {
      async sendRawTransaction(bytes) {
        sendCount++;
        return sendCount < 3 ? 'lost' : vm.connection.sendRawTransaction(bytes);
      },
    });
    const result = await scene.runDelegation({ wallet: refreshing, node: lossy });
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });
});

describe('a Solana wallet that sends transactions itself', () => {
  it('completes a delegation', async () => {
    const scene = await setUpScene();
    const result = await scene.runDelegation({ wallet: sendingWallet(scene) });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('is not prompted again after a lost response when the history has the approval', async () => {
    const scene = await setUpScene();
    const wallet = sendingWallet(scene, async (signed) => {
      await scene.vm.connection.sendRawTransaction(signed);
      throw new Error('the window was closed');
    });
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    const result = await scene.runDelegation({ wallet, resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('may return no signature, and the approval is found in the history', async () => {
    const scene = await setUpScene();
    const wallet = sendingWallet(scene, async (signed) => {
      await scene.vm.connection.sendRawTransaction(signed);
      return 'ok';
    });
    const { error, state } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    const result = await scene.runDelegation({ wallet, resume: state });
    expect(result.registration).toBe('accepted');
  });

  it('is prompted again only when a missing approval can no longer reach the chain', async () => {
    const scene = await setUpScene();
    const failingWallet = sendingWallet(scene, async () => {
      throw new Error('the window was closed');
    });
    const { state } = await scene.delegateAndCatch({ wallet: failingWallet });
    const wallet = sendingWallet(scene);
    const early = await scene.delegateAndCatch({ wallet, resume: state });
    expect(early.error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    scene.vm.advanceBlocks();
    const result = await scene.runDelegation({ wallet, resume: early.state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it.each([
    ['no transaction history', undefined],
    [
      'a full page of transaction history',
      async () =>
        Array.from({ length: 100 }, () => ({ signature: 'other', err: 'x', blockTime: null })),
    ],
  ])('is not prompted again without approveAgain when the node returns %s', async (_, list) => {
    const scene = await setUpScene();
    const failingWallet = sendingWallet(scene, async () => {
      throw new Error('the window was closed');
    });
    const { getSignaturesForAddress: _list, ...rest } = scene.vm.connection;
    const connection = list ? { ...rest, getSignaturesForAddress: list } : rest;
    const { state } = await scene.delegateAndCatch({ wallet: failingWallet, node: connection });
    scene.vm.advanceBlocks();
    const wallet = sendingWallet(scene);
    const { error, state: next } = await scene.delegateAndCatch({
      wallet,
      node: connection,
      resume: state,
    });
    expect(error).toMatchObject({ code: 'approval_unknown' });
    const result = await scene.runDelegation({
      wallet,
      node: connection,
      resume: next,
      approveAgain: true,
    });
    expect(result.registration).toBe('accepted');
  });

  it('is not prompted again when another approval of the account took effect', async () => {
    const scene = await setUpScene();
    const { vm, keypair, mint, address } = scene;
    const other = buildSolanaApproval({
      ...mintOptions(mint),
      owner: address,
      spender: someAddress(),
      amount: 1n,
    });
    const failingWallet = sendingWallet(scene, async () => {
      throw new Error('the window was closed');
    });
    const { state } = await scene.delegateAndCatch({ wallet: failingWallet });
    await vm.send(await signerOf(keypair), [toKitInstruction(other)]);
    vm.advanceBlocks();
    const { error } = await scene.delegateAndCatch({ wallet: sendingWallet(scene), resume: state });
    expect(error).toMatchObject({ code: 'delegate_in_use' });
  });
});

describe('delegateSolana with an abort signal', () => {
  it('sends nothing when aborted before the start, and keeps the approval when aborted while it waits', async () => {
    const scene = await setUpScene();
    const reason = new Error('left the page');
    const early = await scene.delegateAndCatch({ signal: AbortSignal.abort(reason) });
    expect(early.error).toBe(reason);
    expect(scene.mock.requests).toHaveLength(0);
    const page = new AbortController();
    const late = await scene.delegateAndCatch({
      signal: page.signal,
      node: withConnection(scene, {
        async getSignatureStatuses(...call) {
          page.abort(reason);
          return scene.vm.connection.getSignatureStatuses(...call);
        },
      }),
    });
    expect(late.error).toBe(reason);
    expect(late.state?.approval?.status).toBe('sent');
    expect((await scene.runDelegation({ resume: late.state })).registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });
});

it('two equal Solana delegations at once prompt the wallet once, and a different one is refused', async () => {
  const scene = await setUpScene();
  const [first, second] = await Promise.all([scene.runDelegation(), scene.runDelegation()]);
  expect(second).toEqual(first);
  expect(scene.prompts).toEqual(['message', 'transaction']);
  const other = scene.runDelegation({ amount: '7' });
  const refused = await scene.delegateAndCatch({ amount: '8' });
  expect(refused.error).toMatchObject({ code: 'delegation_in_progress' });
  await other;
});
