import { describe, expect, it } from 'vitest';
import type { DelegationState, SolanaConnection, SolanaWallet } from '../../src/solana/index.js';
import { buildSolanaApproval, toKitInstruction } from '../../src/solana/index.js';
import { signerOf } from '../chain/local-vm.js';
import { ofMint, type Scene, saved, setScene, someAddress } from './support/scene.js';

/** A connection without memory of its own, with some methods replaced. */
const withConnection = (scene: Scene, changes: Partial<SolanaConnection>): SolanaConnection => ({
  ...scene.vm.connection,
  ...changes,
});

/** A wallet that sends by itself, as wallets do that do not only sign. */
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

describe('a page that was closed', () => {
  it('resumes from every saved state, with one approval in total', async () => {
    const whole = await setScene();
    await whole.run();
    for (const index of whole.progress.keys()) {
      const scene = await setScene();
      const page = new AbortController();
      const closed = new Error('the page was closed');
      let seen = 0;
      let resume: DelegationState | undefined;
      const first = scene.run({
        signal: page.signal,
        onProgress({ state }) {
          if (seen++ !== index) return;
          resume = saved(state);
          page.abort(closed);
        },
      });
      // The last event comes too late to end anything.
      await first.catch((error: unknown) => expect(error).toBe(closed));
      const result = await scene.run({ resume });
      expect(result.registration).toMatch(/accepted|already-approved|found-in-wallets/);
      expect(scene.vm.sentCount).toBe(1);
      expect(scene.registered()).toHaveLength(1);
    }
  });

  it('asks the wallet only for what is missing', async () => {
    const scene = await setScene();
    const { error, state } = await scene.failing({
      connection: withConnection(scene, {
        getSignatureStatuses: () => Promise.reject(new Error('down')),
      }),
    });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(scene.asked).toEqual(['message', 'transaction']);
    const result = await scene.run({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['message', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('signs again after the token expired, without another approval', async () => {
    const scene = await setScene();
    const { state } = await scene.failing({
      connection: withConnection(scene, {
        getSignatureStatuses: () => Promise.reject(new Error('down')),
      }),
    });
    scene.mock.advance('11 minutes');
    const result = await scene.run({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['message', 'transaction', 'message']);
    expect(scene.vm.sentCount).toBe(1);
    expect(scene.calls('delegation.getToken')).toBe(2);
  });

  it('signs again when the saved message is not the wallet’s', async () => {
    const scene = await setScene();
    const { state } = await scene.failing({
      connection: withConnection(scene, {
        getSignatureStatuses: () => Promise.reject(new Error('down')),
      }),
    });
    if (!state?.message) throw new Error('no message was saved');
    const { message } = state;
    const forged = [
      { ...message, text: message.text.replace('Prove', 'Steal') },
      { ...message, text: message.text.replace(/Nonce: .*/, 'Nonce: other') },
      { ...message, signature: id(state) },
      { ...message, expiresAt: 0 },
    ];
    for (const [index, changed] of forged.entries()) {
      scene.mock.advance('1 second');
      const { error, state: next } = await scene.failing({
        resume: { ...state, message: changed },
        connection: withConnection(scene, {
          getTransaction: () => Promise.resolve(scene.vm.getExecuted(id(state)) ?? null),
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
      expect(scene.asked.filter((what) => what === 'message')).toHaveLength(2 + index);
    }
  });

  it('gets an error when the saved state is of another delegation', async () => {
    const scene = await setScene();
    await scene.run();
    const resume = saved(scene.progress[3]?.state as DelegationState);
    const { error } = await scene.failing({ resume, amount: '7' });
    expect(error).toMatchObject({ code: 'state_mismatch', fields: ['amount', 'allowance'] });
  });
});

const id = (state: DelegationState) => state.approval?.transactionId ?? '';

describe('an expired blockhash', () => {
  const losing = (scene: Scene): SolanaConnection =>
    withConnection(scene, { sendRawTransaction: async () => 'lost' });

  it('with a transaction that is not on the chain lets the approval be asked again', async () => {
    const scene = await setScene();
    const connection = losing(scene);
    const waiting = withConnection(scene, {
      ...connection,
      async getSignatureStatuses(...call) {
        const answer = await scene.vm.connection.getSignatureStatuses(...call);
        scene.vm.advanceBlocks(60);
        return answer;
      },
    });
    const { error, state } = await scene.failing({ connection: waiting });
    expect(error).toMatchObject({ code: 'transaction_expired', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    const result = await scene.run({ resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['message', 'transaction', 'transaction']);
    expect(scene.vm.sentCount).toBe(1);
  });

  it('while only some nodes say so lets nothing be asked again', async () => {
    const scene = await setScene();
    const connection = withConnection(scene, {
      ...losing(scene),
      getBlockHeight: async (commitment) =>
        (await scene.vm.connection.getBlockHeight()) + (commitment === 'finalized' ? 0 : 1_000),
    });
    const { error, state } = await scene.failing({ connection });
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(state?.approval?.status).toBe('sent');
  });

  it('with a transaction that made it in the last block counts as sent', async () => {
    const scene = await setScene();
    const { connection } = scene.vm;
    let held: Uint8Array | undefined;
    const late = withConnection(scene, {
      async sendRawTransaction(bytes) {
        held = bytes;
        return 'on its way';
      },
      async getBlockHeight() {
        // Between the question for the height and that for the status the transaction arrives.
        if (held) await connection.sendRawTransaction(held);
        held = undefined;
        return 1_000_000;
      },
    });
    const result = await scene.run({ connection: late });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('that the wallet put in itself counts by the newest one', async () => {
    const scene = await setScene();
    const { wallet, vm } = scene;
    const refreshing = {
      ...wallet,
      async signTransaction(transaction: Uint8Array) {
        // The user took 200 blocks, and the wallet put in a new blockhash.
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
    let lost = 0;
    const lossy = withConnection(scene, {
      async sendRawTransaction(bytes) {
        lost++;
        return lost < 3 ? 'lost' : vm.connection.sendRawTransaction(bytes);
      },
    });
    const result = await scene.run({ wallet: refreshing, connection: lossy });
    expect(result.registration).toBe('accepted');
    expect(scene.asked).toEqual(['message', 'transaction']);
  });
});

describe('a wallet that sends by itself', () => {
  it('delegates', async () => {
    const scene = await setScene();
    const result = await scene.run({ wallet: sendingWallet(scene) });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('and whose response is lost is not asked again: the history has the approval', async () => {
    const scene = await setScene();
    const wallet = sendingWallet(scene, async (signed) => {
      await scene.vm.connection.sendRawTransaction(signed);
      throw new Error('the window was closed');
    });
    const { error, state } = await scene.failing({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    const result = await scene.run({ wallet, resume: state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it('and returns no signature: the approval is found in the history', async () => {
    const scene = await setScene();
    const wallet = sendingWallet(scene, async (signed) => {
      await scene.vm.connection.sendRawTransaction(signed);
      return 'ok';
    });
    const { error, state } = await scene.failing({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    const result = await scene.run({ wallet, resume: state });
    expect(result.registration).toBe('accepted');
  });

  it('and whose approval is not on the chain is asked again only when it cannot come any more', async () => {
    const scene = await setScene();
    const failing = sendingWallet(scene, async () => {
      throw new Error('the window was closed');
    });
    const { state } = await scene.failing({ wallet: failing });
    const wallet = sendingWallet(scene);
    const early = await scene.failing({ wallet, resume: state });
    expect(early.error).toMatchObject({ code: 'approval_unknown', outcome: 'unknown' });
    scene.vm.advanceBlocks();
    const result = await scene.run({ wallet, resume: early.state });
    expect(result.registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });

  it.each([
    ['no history', undefined],
    [
      'too much of it',
      async () =>
        Array.from({ length: 100 }, () => ({ signature: 'other', err: 'x', blockTime: null })),
    ],
  ])('is not asked again where there is %s, unless the user says so', async (_, list) => {
    const scene = await setScene();
    const failing = sendingWallet(scene, async () => {
      throw new Error('the window was closed');
    });
    const { getSignaturesForAddress: _list, ...rest } = scene.vm.connection;
    const connection = list ? { ...rest, getSignaturesForAddress: list } : rest;
    const { state } = await scene.failing({ wallet: failing, connection });
    scene.vm.advanceBlocks();
    const wallet = sendingWallet(scene);
    const { error, state: next } = await scene.failing({ wallet, connection, resume: state });
    expect(error).toMatchObject({ code: 'approval_unknown' });
    const result = await scene.run({ wallet, connection, resume: next, approveAgain: true });
    expect(result.registration).toBe('accepted');
  });

  it('is not confused with another transaction of the same account', async () => {
    const scene = await setScene();
    const { vm, keypair, mint, address } = scene;
    const other = buildSolanaApproval({
      ...ofMint(mint),
      owner: address,
      delegate: someAddress(),
      amount: 1n,
    });
    const failing = sendingWallet(scene, async () => {
      throw new Error('the window was closed');
    });
    const { state } = await scene.failing({ wallet: failing });
    await vm.send(await signerOf(keypair), [toKitInstruction(other)]);
    vm.advanceBlocks();
    const { error } = await scene.failing({ wallet: sendingWallet(scene), resume: state });
    expect(error).toMatchObject({ code: 'delegate_in_use' });
  });
});

describe('an abort', () => {
  it('before the start does nothing, and one in the wait keeps the approval', async () => {
    const scene = await setScene();
    const reason = new Error('left the page');
    const early = await scene.failing({ signal: AbortSignal.abort(reason) });
    expect(early.error).toBe(reason);
    expect(scene.mock.requests).toHaveLength(0);
    const page = new AbortController();
    const late = await scene.failing({
      signal: page.signal,
      connection: withConnection(scene, {
        async getSignatureStatuses(...call) {
          page.abort(reason);
          return scene.vm.connection.getSignatureStatuses(...call);
        },
      }),
    });
    expect(late.error).toBe(reason);
    expect(late.state?.approval?.status).toBe('sent');
    expect((await scene.run({ resume: late.state })).registration).toBe('accepted');
    expect(scene.vm.sentCount).toBe(1);
  });
});

it('two runs of the same delegation are one', async () => {
  const scene = await setScene();
  const [first, second] = await Promise.all([scene.run(), scene.run()]);
  expect(second).toEqual(first);
  expect(scene.asked).toEqual(['message', 'transaction']);
  const other = scene.run({ amount: '7' });
  const refused = await scene.failing({ amount: '8' });
  expect(refused.error).toMatchObject({ code: 'delegation_in_progress' });
  await other;
});
