import { Keypair, Transaction, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { createDelegation, type SolanaWallet } from '../../../src/solana/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { shortSignature } from '../support/short-signature.js';
import { OTHER, TOKEN_PROGRAM } from './cluster.js';
import { type Scene, setUpScene } from './scene.js';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';

/** What the wallet was asked to sign: the program and data of each instruction. */
function signedBy(scene: Scene) {
  return scene.cluster.sent.map((bytes) =>
    Transaction.from(bytes).instructions.map(({ programId, data }) => ({
      program: programId.toBase58(),
      data: [...data],
    })),
  );
}

/** Expects that a flow waits for the newest blockhash to expire, at block 5,251, and no shorter. */
async function expectExpiryAfter20Seconds(scene: Scene, wallet: SolanaWallet) {
  scene.after(2_000, () => {
    scene.cluster.height = 5_250;
  });
  scene.after(20_000, () => {
    scene.cluster.height = 5_251;
  });
  const { error } = await scene.fail({ wallet });
  expect(error).toMatchObject({ code: 'transaction_expired' });
  expect(scene.clock.waits.reduce((sum, one) => sum + one, 0)).toBe(20_000);
}

describe('the compute budget of the approval', () => {
  it.each([
    [{}, []],
    [{ computeUnitLimit: 20_000 }, [[2, 0x20, 0x4e, 0, 0]]],
    [{ computeUnitLimit: 1_400_000 }, [[2, 0xc0, 0x5c, 0x15, 0]]],
    [{ computeUnitPrice: 50_000 }, [[3, 0x50, 0xc3, 0, 0, 0, 0, 0, 0]]],
    [{ computeUnitPrice: 0 }, [[3, 0, 0, 0, 0, 0, 0, 0, 0]]],
    // Nobody can pay that.
    [{ computeUnitPrice: 2n ** 64n - 1n, checkFunds: false }, [[3, ...Array(8).fill(255)]]],
    [
      { computeUnitLimit: 1, computeUnitPrice: 2n },
      [
        [2, 1, 0, 0, 0],
        [3, 2, 0, 0, 0, 0, 0, 0, 0],
      ],
    ],
  ])('%o comes before the approval', async (options, budget) => {
    const scene = setUpScene();
    await scene.run(options);
    const [instructions = []] = signedBy(scene);
    const approval = instructions.pop();
    expect(approval).toMatchObject({ program: TOKEN_PROGRAM });
    expect(approval?.data[0]).toBe(13);
    expect(instructions).toEqual(budget.map((data) => ({ program: COMPUTE_BUDGET, data })));
  });

  it.each<[string, object]>([
    ['computeUnitLimit', { computeUnitLimit: 1_400_001 }],
    ['computeUnitLimit', { computeUnitLimit: 0 }],
    ['computeUnitLimit', { computeUnitLimit: 1.5 }],
    ['computeUnitLimit', { computeUnitLimit: '1' }],
    ['computeUnitPrice', { computeUnitPrice: -1 }],
    ['computeUnitPrice', { computeUnitPrice: -1n }],
    ['computeUnitPrice', { computeUnitPrice: 0.5 }],
    ['computeUnitPrice', { computeUnitPrice: Number.NaN }],
    ['computeUnitPrice', { computeUnitPrice: 2 ** 53 }],
    ['computeUnitPrice', { computeUnitPrice: 2n ** 64n }],
    ['computeUnitPrice', { computeUnitPrice: '1' }],
  ])('an invalid %s is refused before anything is read: %o', async (path, options) => {
    const scene = setUpScene();
    const { error } = await scene.fail(options);
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path }] });
    expect(scene.cluster.calls).toEqual([]);
    expect(scene.tokens.issued).toBe(0);
  });
});

/** Lets everything run that has no timer. The checks of signatures run in threads of their own. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await Promise.all([1, 2, 3, 4].map(() => crypto.subtle.digest('SHA-256', new Uint8Array(1))));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a transaction that the wallet has only signed', () => {
  it('is sent after it was saved, never before', async () => {
    const scene = setUpScene();
    const store = memoryStore();
    let isFull = false;
    const delegation = createDelegation({
      ...scene.options(),
      store: {
        ...store,
        set: (key: string, value: string) =>
          isFull ? Promise.reject(new Error('the disk is full')) : store.set(key, value),
      },
      wallet: {
        ...scene.wallet,
        async signTransaction(bytes: Uint8Array) {
          const signed = await scene.wallet.signTransaction?.(bytes);
          isFull = true;
          return signed ?? bytes;
        },
      },
    });
    await expect(delegation.start({ currency: 'usdc' })).rejects.toMatchObject({
      code: 'delegation_not_saved',
    });
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.cluster.sent).toEqual([]);
  });

  it('is reported with its signature before the cluster has it', async () => {
    const scene = setUpScene();
    const seen: [string | undefined, string | undefined, number][] = [];
    const { transactionId } = await scene.run({
      onProgress: ({ transactionId: id, state }) =>
        seen.push([id, state.notes['signature'], scene.cluster.sent.length]),
    });
    expect(seen).toContainEqual([transactionId, transactionId, 0]);
  });

  it.each(['aborted', 'timed out'])('is never sent once the flow was %s', async (how) => {
    const scene = setUpScene();
    const abort = new AbortController();
    let respond = () => {};
    const response = new Promise<void>((resolve) => {
      respond = resolve;
    });
    let hasSigned: Promise<unknown> = Promise.resolve();
    const wallet: SolanaWallet = {
      ...scene.wallet,
      signTransaction(bytes) {
        const signing = response.then(() => scene.wallet.signTransaction?.(bytes) ?? bytes);
        hasSigned = signing;
        if (how === 'aborted') abort.abort(new Error('the page was left'));
        return signing;
      },
    };
    const limit = how === 'aborted' ? { signal: abort.signal } : { promptTimeout: 1_000 };
    const runtime = {
      now: scene.runtime.now,
      // The time limit of a prompt passes only when the wallet was asked for the approval.
      sleep: (milliseconds: number, signal?: AbortSignal) =>
        milliseconds === 1_000 && scene.progress.at(-1)?.step !== 'approval-sent'
          ? new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
          : scene.runtime.sleep(milliseconds, signal),
    };
    const { error } = await scene.fail({ wallet, runtime, ...limit });
    if (how === 'aborted') expect(error).toMatchObject({ message: 'the page was left' });
    else expect(error).toMatchObject({ code: 'prompt_timeout', outcome: 'unknown' });
    respond();
    await hasSigned;
    await settle();
    expect(scene.cluster.sent).toEqual([]);
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it('with a signature of somebody else is not sent', async () => {
    const scene = setUpScene();
    const wallet: SolanaWallet = {
      ...scene.wallet,
      async signTransaction(bytes) {
        const signed = (await scene.wallet.signTransaction?.(bytes)) ?? bytes;
        // One bit of the signature, which begins after the count.
        return Uint8Array.from(signed, (byte, at) => (at === 7 ? byte ^ 1 : byte));
      },
    };
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(scene.cluster.sent).toEqual([]);
  });

  it('with another blockhash can execute as long as the newest one, not the first', async () => {
    const scene = setUpScene();
    scene.cluster.lands = undefined;
    const wallet: SolanaWallet = {
      ...scene.wallet,
      signTransaction(bytes) {
        // The blockhash of the flow is the cluster's, which is `OTHER`.
        const transaction = Transaction.from(bytes);
        transaction.recentBlockhash = TOKEN_PROGRAM;
        scene.cluster.height = 5_100;
        const changed = transaction.serialize({
          requireAllSignatures: false,
          verifySignatures: false,
        });
        return scene.wallet.signTransaction?.(Uint8Array.from(changed)) ?? Promise.reject();
      },
    };
    // The first blockhash would have expired at 5,151, and the newest one at 5,251.
    await expectExpiryAfter20Seconds(scene, wallet);
  });

  it('with the blockhash of the flow expires with it', async () => {
    const scene = setUpScene();
    scene.cluster.lands = undefined;
    const wallet: SolanaWallet = {
      ...scene.wallet,
      signTransaction(bytes) {
        scene.cluster.height = 5_100;
        return scene.wallet.signTransaction?.(bytes) ?? Promise.reject();
      },
    };
    scene.after(2_000, () => {
      scene.cluster.height = 5_151;
    });
    const { error } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'transaction_expired' });
    expect(scene.clock.waits).toEqual([2_000]);
  });
});

const someBlockhash = (byte: number) => bs58.encode(new Uint8Array(32).fill(byte));
const blockhashOf = (bytes: Uint8Array) =>
  VersionedTransaction.deserialize(bytes).message.recentBlockhash;

describe('a signature that is too short for the service', () => {
  const KEY = Keypair.fromSeed(new Uint8Array(32).fill(7)).secretKey;
  /** Makes the signature of a transaction a short one. */
  const shorten = (bytes: Uint8Array) => {
    const signed = bytes.slice();
    signed.set(shortSignature(KEY, signed.subarray(65)), 1);
    return signed;
  };

  it.each([
    1, 2,
  ])('of the approval is asked for again, with a fresh blockhash: %i times', async (times) => {
    const scene = setUpScene();
    let asked = 0;
    const wallet: SolanaWallet = {
      ...scene.wallet,
      async signTransaction(bytes) {
        const signed = (await scene.wallet.signTransaction?.(bytes)) ?? bytes;
        scene.cluster.blockhash = someBlockhash(++asked);
        return asked <= times ? shorten(signed) : signed;
      },
    };
    await scene.run({ wallet });
    expect(asked).toBe(times + 1);
    expect(scene.clock.waits).not.toContain(1_000);
    expect(scene.cluster.countOf('getLatestBlockhash')).toBe(times + 1);
    expect(scene.cluster.sent).toHaveLength(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    ['as soon as the node has another blockhash', 2_500, 3],
    ['with the same blockhash, if the node has no other after five seconds', 60_000, 5],
  ])('of the approval is asked for again %s', async (_, newAfter, waits) => {
    const scene = setUpScene();
    const asked: string[] = [];
    const wallet: SolanaWallet = {
      ...scene.wallet,
      async signTransaction(bytes) {
        asked.push(blockhashOf(bytes));
        const signed = (await scene.wallet.signTransaction?.(bytes)) ?? bytes;
        return asked.length === 1 ? shorten(signed) : signed;
      },
    };
    scene.after(newAfter, () => {
      scene.cluster.blockhash = someBlockhash(1);
    });
    await scene.run({ wallet });
    const isNew = newAfter < 5_000;
    expect(asked).toEqual([OTHER, isNew ? someBlockhash(1) : OTHER]);
    expect(scene.clock.waits.filter((ms) => ms === 1_000)).toHaveLength(waits);
    expect(scene.cluster.sent).toHaveLength(1);
  });

  it('of the approval ends the flow the third time, and nothing was sent', async () => {
    const scene = setUpScene();
    const wallet: SolanaWallet = {
      ...scene.wallet,
      signTransaction: async (bytes) =>
        shorten((await scene.wallet.signTransaction?.(bytes)) ?? bytes),
    };
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
    expect(scene.countOf('transaction')).toBe(3);
    expect(scene.cluster.sent).toEqual([]);
  });

  it('of the message is asked for again with another text, up to three times', async () => {
    for (const times of [1, 2, 3]) {
      const scene = setUpScene();
      const texts: string[] = [];
      const wallet: SolanaWallet = {
        ...scene.wallet,
        async signMessage(text) {
          texts.push(new TextDecoder().decode(text));
          const signature = await scene.wallet.signMessage(text);
          return texts.length <= times ? shortSignature(KEY, text) : signature;
        },
      };
      const { error } = await scene.fail({ wallet });
      if (times < 3) expect(error).toBeUndefined();
      else expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
      expect(texts).toHaveLength(Math.min(times + 1, 3));
      expect(new Set(texts).size).toBe(texts.length);
      expect(scene.countOf('transaction')).toBe(times < 3 ? 1 : 0);
    }
  });
});

describe('a wallet that sends the approval', () => {
  it.each([
    '',
    'x',
    OTHER,
    '2'.repeat(86),
    '2'.repeat(89),
  ])('and returns %j in place of a signature may have sent it', async (response) => {
    const scene = setUpScene();
    const wallet: SolanaWallet = {
      ...scene.sendingWallet,
      async sendTransaction(...args) {
        await scene.sendingWallet.sendTransaction?.(...args);
        scene.cluster.height = 5_010;
        return response;
      },
    };
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.approval).toEqual({ status: 'requested' });
    // The wallet may have used a blockhash of its own, at most as new as the newest one now.
    expect(state?.notes['lastValidBlockHeight']).toBe('5160');
    scene.cluster.height = 6_000;
    await scene.run({ wallet: scene.sendingWallet, resume: state });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it('may have used another blockhash: it can execute as long as the newest one', async () => {
    const scene = setUpScene();
    scene.cluster.lands = undefined;
    const wallet: SolanaWallet = {
      ...scene.sendingWallet,
      async sendTransaction(...args) {
        scene.cluster.height = 5_100;
        return (await scene.sendingWallet.sendTransaction?.(...args)) ?? '';
      },
    };
    // The blockhash of the flow would have expired at 5,151, and the newest one at 5,251.
    await expectExpiryAfter20Seconds(scene, wallet);
  });

  it.each([
    [
      'the user declined',
      Object.assign(new Error('User rejected the request.')),
      'user_rejected',
      'not_sent',
    ],
    [
      'it is not connected',
      Object.assign(new Error('no'), { name: 'WalletNotConnectedError' }),
      'wallet_failed',
      'not_sent',
    ],
    [
      'its window was closed',
      Object.assign(new Error('no'), { name: 'WalletWindowClosedError' }),
      'wallet_failed',
      'unknown',
    ],
    [
      'an earlier prompt is open',
      Object.assign(new Error('no'), { code: -32002 }),
      'wallet_failed',
      'unknown',
    ],
  ])('and fails because %s', async (_, reason, code, outcome) => {
    const scene = setUpScene();
    let readsBefore = 0;
    const sendTransaction = () => {
      readsBefore = scene.cluster.calls.length;
      return Promise.reject(reason);
    };
    const wallet = { ...scene.sendingWallet, sendTransaction };
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code, outcome });
    // Only what may have been sent needs the node again: a user who declined does not wait for it.
    const reads = scene.cluster.calls.slice(readsBefore).map(({ method }) => method);
    expect(reads).toEqual(outcome === 'unknown' ? ['getLatestBlockhash'] : []);
    expect(state?.approval).toEqual(outcome === 'unknown' ? { status: 'requested' } : undefined);
    if (outcome === 'not_sent') {
      await scene.run({ wallet: scene.sendingWallet, resume: state });
      expect(scene.proofs).toHaveLength(1);
    }
  });

  it('and whose window was closed while it only signed has sent nothing', async () => {
    const scene = setUpScene();
    const closed = Object.assign(new Error('no'), { name: 'WalletWindowClosedError' });
    const wallet = { ...scene.wallet, signTransaction: () => Promise.reject(closed) };
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(state?.approval).toBeUndefined();
  });
});

describe('the first sending of the approval', () => {
  const failOnce = (scene: Scene, error: unknown) => {
    const { connection } = scene.cluster;
    const send = connection.sendRawTransaction;
    let isFirst = true;
    connection.sendRawTransaction = (...args) => {
      if (!isFirst) return send(...args);
      isFirst = false;
      return Promise.reject(error);
    };
  };
  const refusal = (message: string, logs: readonly string[] = ['Program failed']) =>
    Object.assign(new Error(message), { code: -32002, data: { logs } });

  it('that is lost is repeated while the flow waits', async () => {
    const scene = setUpScene();
    failOnce(scene, new Error('socket hang up'));
    await scene.run();
    expect(scene.cluster.sent).toHaveLength(1);
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    ['Transaction simulation failed: custom', 'transaction_refused', 'rejected'],
    ['Transaction simulation failed: insufficient funds for fee', 'insufficient_funds', 'not_sent'],
    ['Transaction signature verification failure', 'transaction_refused', 'rejected'],
  ])('that the node refuses ends the flow: %s', async (message, code, outcome) => {
    const scene = setUpScene();
    failOnce(scene, refusal(message));
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code, outcome });
    expect(state?.approval).toBeUndefined();
    // The chain decides before the wallet is asked again: the node has it after all.
    scene.cluster.execute((await signAgain(scene)) ?? new Uint8Array());
    const before = scene.countOf('transaction');
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(before);
    expect(scene.proofs).toHaveLength(1);
  });

  /** The bytes that the wallet had signed, from the saved state. */
  async function signAgain(scene: Scene): Promise<Uint8Array | undefined> {
    const notes = scene.progress.flatMap(({ state }) => state.notes['transaction'] ?? []);
    const hex = notes.at(-1);
    return hex === undefined ? undefined : Uint8Array.from(Buffer.from(hex, 'hex'));
  }

  it.each([
    'Transaction simulation failed: Blockhash not found',
    'Transaction simulation failed: This transaction has already been processed',
    'Node is behind by 42 slots',
    'failed',
  ])('that fails with %j proves nothing, and is repeated', async (message) => {
    const scene = setUpScene();
    failOnce(scene, refusal(message));
    await scene.run();
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    [2, 'every time'],
    [4, 'once, before the connection is lost again'],
  ])('that the node refuses until it expires is named in the error: %#', async (refusals) => {
    const scene = setUpScene();
    const { connection } = scene.cluster;
    let sends = 0;
    connection.sendRawTransaction = () => {
      sends++;
      return Promise.reject(
        sends === 2 || (sends > 2 && refusals === 2)
          ? refusal('Transaction simulation failed: custom')
          : new Error('hang up'),
      );
    };
    scene.after(4_000, () => {
      scene.cluster.height = 5_151;
    });
    const { error } = await scene.fail();
    expect(error).toMatchObject({
      code: 'transaction_expired',
      cause: expect.objectContaining({ code: 'transaction_refused' }),
    });
  });
});
