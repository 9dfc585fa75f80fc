import {
  PublicKey,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { SolanaWallet } from '../../../src/solana/index.js';
import { afterReload } from '../../delegation/scripted-world.js';
import { resealed } from '../../delegation/support/mutations.js';
import { TOKEN_PROGRAM } from './cluster.js';
import { type Scene, setUpScene, UNITS } from './scene.js';

/** Runs a flow whose approval is sent and never arrives, until its time limit. */
async function loseApproval(scene: Scene, options: object = {}) {
  scene.cluster.lands = undefined;
  const { error, state } = await scene.fail({ confirmationTimeout: 4_000, ...options });
  expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
  expect(state?.approval).toMatchObject({ status: 'sent' });
  scene.cluster.lands = 'confirmed';
  return state;
}

describe('an approval that was sent and is not on the chain', () => {
  it.each([
    [5_150, 6_000, 1],
    [5_151, 6_000, 2],
    // The node that does not know it has not reached the slot in which it expired.
    [5_151, 5_999, 1],
  ])('at height %i and slot %i has the wallet asked %i times', async (height, slot, times) => {
    const scene = setUpScene();
    const state = await loseApproval(scene);
    const { cluster } = scene;
    const epoch = cluster.connection.getEpochInfo;
    cluster.connection.getEpochInfo = async (...args) => ({
      ...(await epoch(...args)),
      absoluteSlot: 6_000,
    });
    Object.assign(cluster, { height, slot });
    const { error } = await scene.fail({ resume: state, confirmationTimeout: 4_000 });
    expect(scene.countOf('transaction')).toBe(times);
    // A node that lags takes it once more, and then the same transaction is confirmed.
    expect(error).toBeUndefined();
    expect(scene.proofs).toHaveLength(1);
    expect(cluster.account.delegated).toBe(UNITS);
  });

  it('is not given up where the connection reports no slots', async () => {
    const scene = setUpScene();
    const { getEpochInfo: _, ...connection } = scene.cluster.connection;
    const state = await loseApproval(scene, { node: connection });
    scene.cluster.lands = undefined;
    scene.cluster.height = 5_151;
    // Only the flow that waits looks twice.
    const { error } = await scene.fail({ resume: state, node: connection });
    expect(error).toMatchObject({ code: 'transaction_expired', outcome: 'not_sent' });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('is waited for when the node cannot be read at first', async () => {
    const scene = setUpScene();
    const state = await loseApproval(scene);
    const { connection } = scene.cluster;
    const read = connection.getSignatureStatuses;
    connection.getSignatureStatuses = () => {
      connection.getSignatureStatuses = read;
      return Promise.reject(new Error('429'));
    };
    scene.cluster.height = 6_000;
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'transaction_expired' });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('was sent by the wallet, so nothing can send it again', async () => {
    const scene = setUpScene();
    await loseApproval(scene, { wallet: scene.sendingWallet });
    expect(scene.cluster.countOf('sendRawTransaction')).toBe(0);
  });

  it('keeps the flow waiting when the node cannot be read, and then says so', async () => {
    const scene = setUpScene();
    const { connection } = scene.cluster;
    connection.getSignatureStatuses = () => Promise.reject(new Error('500'));
    const { error, state } = await scene.fail({ confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'unknown' });
    expect(state?.approval).toMatchObject({ status: 'sent' });
    expect(scene.clock.waits).toEqual([2_000, 2_000]);
  });
});

describe('a signed approval in a saved state', () => {
  const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

  /** Adds a note to a transaction, so that it has this many bytes. */
  function enlarge(bytes: Uint8Array, size: number): Uint8Array {
    const { message } = VersionedTransaction.deserialize(bytes);
    const withNote = (length: number) => {
      const changed = TransactionMessage.decompile(message);
      const data = Buffer.alloc(length, 'x');
      changed.instructions.push(new TransactionInstruction({ programId: MEMO, keys: [], data }));
      return new VersionedTransaction(changed.compileToLegacyMessage()).serialize();
    };
    return withNote(200 + size - withNote(200).length);
  }

  function enlarging(scene: Scene, size: number): SolanaWallet {
    return {
      ...scene.wallet,
      signTransaction: async (transaction) => {
        const signed = await scene.wallet.signTransaction?.(enlarge(transaction, size));
        return signed ?? new Uint8Array();
      },
    };
  }

  it.each([1_231, 1_232])('of %i bytes is sent again', async (size) => {
    const scene = setUpScene();
    const state = await loseApproval(scene, { wallet: enlarging(scene, size) });
    expect(scene.cluster.sent[0]).toHaveLength(size);
    scene.cluster.sent.length = 0;
    const { error } = await scene.fail({ resume: state });
    expect(error).toBeUndefined();
    expect(scene.cluster.sent.map(({ length }) => length)).toEqual([size]);
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('cannot have 1,233 bytes: it is not sent, and a later run asks again', async () => {
    const scene = setUpScene();
    const { error, state } = await scene.fail({ wallet: enlarging(scene, 1_233) });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
    expect(scene.cluster.sent).toEqual([]);
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(2);
    expect(scene.cluster.sent).toHaveLength(1);
  });
});

it('a state whose notes are of two transactions is refused, and one whose notes agree is not', async () => {
  const scene = setUpScene();
  const state = await loseApproval(scene);
  const other = await loseApproval(setUpScene(), { amount: '7' });
  const { signature, transaction, ...rest } = state?.notes ?? {};
  const foreign = other?.notes ?? {};
  expect(foreign['signature']).not.toBe(signature);
  const withNotes = (notes: object) => resealed({ ...state, notes: { ...rest, ...notes } });
  for (const [notes, field] of [
    [{ signature, transaction: foreign['transaction'] }, 'notes.transaction'],
    [{ transaction }, 'notes.transaction'],
    [{ signature: foreign['signature'], transaction: foreign['transaction'] }, 'notes.signature'],
    [{ signature: foreign['signature'] }, 'notes.signature'],
  ] as const) {
    const { error } = await scene.fail({ resume: withNotes(notes) });
    expect(error).toMatchObject({ code: 'state_mismatch', fields: [field] });
  }
  await scene.run({ resume: withNotes({ signature, transaction }) });
  expect(scene.countOf('transaction')).toBe(1);
});

describe('an approval that a node had refused', () => {
  /** Runs a flow whose node refuses the signed approval after a simulation. */
  async function refuseApproval(scene: Scene) {
    const { connection } = scene.cluster;
    const send = connection.sendRawTransaction;
    connection.sendRawTransaction = (bytes) => {
      scene.cluster.sent.push(bytes);
      const message = 'Transaction simulation failed: custom';
      const error = Object.assign(new Error(message), { code: -32002, data: { logs: ['failed'] } });
      return Promise.reject(error);
    };
    const { error, state } = await scene.fail();
    expect(error).toMatchObject({ code: 'transaction_refused', outcome: 'rejected' });
    connection.sendRawTransaction = send;
    return { state, signed: scene.cluster.sent[0] ?? new Uint8Array() };
  }

  it('and executed nevertheless is not asked for again', async () => {
    const scene = setUpScene();
    const { state, signed } = await refuseApproval(scene);
    scene.cluster.execute(signed);
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('and that only its status shows so far, is waited for', async () => {
    const scene = setUpScene();
    const { state, signed } = await refuseApproval(scene);
    scene.cluster.lands = 'processed';
    const signature = scene.cluster.execute(signed);
    const { delegate, delegated } = scene.cluster.account;
    Object.assign(scene.cluster.account, { delegate: undefined, delegated: 0n });
    scene.after(4_000, () => {
      Object.assign(scene.cluster.account, { delegate, delegated });
      Object.assign(scene.cluster.find(signature) ?? {}, { status: 'confirmed' });
    });
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.proofs).toMatchObject([{ txHash: signature }]);
  });

  it('and failed on the chain is asked for again', async () => {
    const scene = setUpScene();
    const { state, signed } = await refuseApproval(scene);
    scene.cluster.tamper = (one) => ({ ...one, err: { InstructionError: [0, 'x'] } });
    scene.cluster.execute(signed);
    scene.cluster.tamper = (one) => one;
    // Another blockhash, or the signature would be that of the one that failed.
    const read = scene.cluster.connection.getLatestBlockhash;
    scene.cluster.connection.getLatestBlockhash = async () => ({
      ...(await read()),
      blockhash: TOKEN_PROGRAM,
    });
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(2);
    expect(scene.proofs).toHaveLength(1);
  });

  it('and is not known to any node is asked for again', async () => {
    const scene = setUpScene();
    const { state } = await refuseApproval(scene);
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(2);
  });
});

describe('a page that was closed while the wallet asked the user', () => {
  it('asks again where only the flow could have sent the approval', async () => {
    const scene = setUpScene();
    const states: ReturnType<typeof afterReload>[] = [];
    await scene.fail({
      // Of the two ways, the flow takes the one in which it sends.
      wallet: {
        ...scene.sendingWallet,
        ...scene.wallet,
        signTransaction: () => Promise.reject(new Error('the page was closed')),
      },
      onProgress: ({ state }) => states.push(afterReload(state)),
    });
    const asked = states.filter((state) => state?.approval?.status === 'requested');
    expect(asked.length).toBeGreaterThan(0);
    const [state] = asked;
    // The blockhash of the first one still lives, and nobody has a signature for it.
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.countOf('message')).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it('reads the newest blockhash where it could not read it before', async () => {
    const scene = setUpScene();
    const { connection } = scene.cluster;
    const read = connection.getLatestBlockhash;
    const wallet = {
      ...scene.sendingWallet,
      async sendTransaction() {
        connection.getLatestBlockhash = () => Promise.reject(new Error('500'));
        throw new Error('the connection to the wallet was lost');
      },
    };
    const { error, state } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'unknown' });
    expect(state?.notes['lastValidBlockHeight']).toBeUndefined();
    connection.getLatestBlockhash = read;
    scene.cluster.height = 5_500;
    const early = await scene.fail({ wallet: scene.sendingWallet, resume: state });
    expect(early.error).toMatchObject({ code: 'approval_unknown' });
    expect(early.state?.notes['lastValidBlockHeight']).toBe('5650');
    scene.cluster.height = 5_651;
    await scene.run({ wallet: scene.sendingWallet, resume: early.state });
    expect(scene.countOf('transaction')).toBe(1);
  });
});

describe('the limit that the service lists', () => {
  const entry = (allowance: unknown) => ({
    address: setUpScene().wallet.address,
    currency: 'usdc',
    allowance,
  });

  /** Runs a flow whose proof is lost after the service took it, and resumes it. */
  async function loseProof(scene: Scene) {
    const submitSolanaApproval = () => Promise.reject(new Error('socket hang up'));
    const client = {
      ...scene.client,
      delegation: { ...scene.client.delegation, submitSolanaApproval },
    };
    const { error, state } = await scene.fail({ client });
    expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
    return state;
  }

  it.each<[unknown, boolean]>([
    ['100.5', true],
    [100.5, true],
    ['100500000', true],
    ['100.6', false],
    // What is left of the limit, where the service counts down.
    ['40.5', true],
    ['40.6', false],
    ['unlimited', false],
  ])('as %j is the one that was asked for: %s', async (allowance, isSame) => {
    const scene = setUpScene();
    const state = await loseProof(scene);
    scene.cluster.account.delegated = 40_500_000n;
    scene.service.registered = [entry(allowance)];
    const result = await scene.run({ resume: state });
    expect(result.registration).toBe(isSame ? 'found-in-wallets' : 'accepted');
    expect(scene.proofs).toHaveLength(isSame ? 0 : 1);
    expect(scene.countOf('transaction')).toBe(1);
  });

  it.each([
    [14_000, 14],
    [16_000, 15],
  ])('is compared with what is left after 15 seconds, or %i ms', async (limit, waits) => {
    const scene = setUpScene();
    const state = await loseProof(scene);
    // It differs from the requested limit as the one from a node that lags does.
    scene.cluster.account.delegated = 40_500_000n;
    scene.service.registered = [entry('40.5')];
    scene.clock.waits.length = 0;
    const result = await scene.run({ resume: state, confirmationTimeout: limit });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.clock.waits).toEqual(Array(waits).fill(1_000));
  });

  it('is not compared with what another delegate may spend', async () => {
    const scene = setUpScene();
    const state = await loseProof(scene);
    Object.assign(scene.cluster.account, { delegate: TOKEN_PROGRAM, delegated: 40_500_000n });
    scene.service.registered = [entry('40.5')];
    const { error } = await scene.fail({ resume: state });
    expect(error).toMatchObject({ code: 'allowance_raced' });
    expect(scene.proofs).toEqual([]);
  });

  it('that was found, with the limit gone since, is a success', async () => {
    const scene = setUpScene();
    const state = await loseProof(scene);
    Object.assign(scene.cluster.account, { delegate: undefined, delegated: 0n });
    scene.service.registered = [entry('100.5')];
    const result = await scene.run({ resume: state });
    expect(result.registration).toBe('found-in-wallets');
  });
});
