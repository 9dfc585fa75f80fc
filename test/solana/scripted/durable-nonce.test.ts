import {
  AddressLookupTableAccount,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { createDelegation, type SolanaWallet } from '../../../src/solana/index.js';
import { type KeyValueStore, memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { DELEGATE, MINT, OTHER, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './cluster.js';
import { OWNER, type Scene, setUpScene } from './scene.js';

/** The account that keeps the nonce. */
const ACCOUNT = OTHER;
const NONCE = TOKEN_PROGRAM;

type Form = 'legacy' | 'versioned' | 'with a lookup table' | `with ${number} more instructions`;

/** A wallet that puts a durable nonce in place of the blockhash, so that the user can take their time. */
function nonceWallet(scene: Scene, form: Form = 'legacy'): SolanaWallet {
  return {
    ...scene.wallet,
    async signTransaction(bytes) {
      const message = TransactionMessage.decompile(VersionedTransaction.deserialize(bytes).message);
      const advance = SystemProgram.nonceAdvance({
        noncePubkey: new PublicKey(ACCOUNT),
        authorizedPubkey: new PublicKey(OWNER),
      });
      message.instructions.unshift(advance);
      const more = Number(/\d+/.exec(form)?.[0] ?? 0);
      const nothing = { programId: new PublicKey(MINT), keys: [], data: Buffer.alloc(0) };
      message.instructions.push(...Array(more).fill(new TransactionInstruction(nothing)));
      message.recentBlockhash = NONCE;
      const compiled =
        form === 'legacy'
          ? message.compileToLegacyMessage()
          : message.compileToV0Message(form === 'with a lookup table' ? [table()] : []);
      const changed = new VersionedTransaction(compiled).serialize();
      return (await scene.wallet.signTransaction?.(changed)) ?? changed;
    },
  };
}

function table(): AddressLookupTableAccount {
  const state = {
    deactivationSlot: 2n ** 64n - 1n,
    lastExtendedSlot: 0,
    lastExtendedSlotStartIndex: 0,
    addresses: [new PublicKey(ACCOUNT)],
  };
  return new AddressLookupTableAccount({ key: new PublicKey(DELEGATE), state });
}

/** Has the nodes return the account with this nonce; `undefined` if there is none any more. */
function keep(scene: Scene, nonce: string | undefined): void {
  const data = new Uint8Array(80);
  if (nonce !== undefined) data.set(bs58.decode(nonce), 40);
  const account = { data, owner: { toBase58: () => SYSTEM_PROGRAM } };
  const others = scene.cluster.connection.getAccountInfo;
  scene.cluster.connection.getMultipleAccountsInfo = async (addresses, commitment) =>
    Promise.all(
      addresses.map((address) => {
        if (address.toBase58() !== ACCOUNT) return others(address, commitment);
        expect(commitment).toBe('finalized');
        return nonce === undefined ? null : account;
      }),
    );
}

const pass = ({ cluster }: Scene, blocks: number) => {
  cluster.height += blocks;
  cluster.slot += blocks;
};

/** Runs a flow whose approval does not arrive, while more blocks pass than a blockhash lives. */
async function loseApproval(scene: Scene, form?: Form) {
  keep(scene, NONCE);
  scene.cluster.lands = undefined;
  scene.after(2_000, () => pass(scene, 400));
  return scene.fail({ wallet: nonceWallet(scene, form) });
}

describe('an approval with a durable nonce', () => {
  it.each<Form>([
    'legacy',
    'versioned',
    'with a lookup table',
    // Two more are those of the nonce and of the approval. From 128 on, their number has two bytes.
    'with 125 more instructions',
    'with 126 more instructions',
  ])('(%s) has not expired while its account keeps the nonce', async (form) => {
    const scene = setUpScene();
    const { error, state } = await loseApproval(scene, form);
    expect(error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    pass(scene, 400);
    const later = await scene.fail({ resume: state });
    expect(later.error).toMatchObject({ code: 'confirmation_timeout', outcome: 'unknown' });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('is not saved again each time the flow looks for it', async () => {
    const scene = setUpScene();
    keep(scene, NONCE);
    scene.cluster.lands = undefined;
    const kept = memoryStore();
    const written: string[] = [];
    const store: KeyValueStore = {
      get: kept.get.bind(kept),
      delete: kept.delete.bind(kept),
      update: kept.update.bind(kept),
      async set(key, text) {
        written.push(text);
        await kept.set(key, text);
      },
    };
    const { amount, onProgress: _, ...options } = scene.options({ wallet: nonceWallet(scene) });
    const { error } = await failureOf(createDelegation({ ...options, store }).start({ amount }));
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    const looks = scene.clock.waits.length;
    expect(looks).toBeGreaterThan(30);
    expect(written.length).toBeLessThan(looks / 2);
  });

  it('is sent again, and can arrive as late as it likes', async () => {
    const scene = setUpScene();
    const { state } = await loseApproval(scene);
    scene.cluster.lands = 'confirmed';
    await scene.run({ resume: state });
    expect(scene.countOf('transaction')).toBe(1);
    expect(scene.cluster.transactions).toHaveLength(1);
    expect(scene.proofs).toHaveLength(1);
  });

  it.each([
    ['was used by another transaction', DELEGATE],
    ['has no account any more', undefined],
  ])('has expired a minute after its nonce %s', async (_, nonce) => {
    const scene = setUpScene();
    const { state } = await loseApproval(scene);
    keep(scene, nonce);
    scene.after(2_000, () => pass(scene, 150));
    const early = await scene.fail({ resume: state });
    expect(early.error).toMatchObject({ code: 'confirmation_timeout' });
    pass(scene, 1);
    scene.cluster.lands = 'confirmed';
    await scene.run({ resume: early.state });
    expect(scene.countOf('transaction')).toBe(2);
    expect(scene.proofs).toHaveLength(1);
  });

  it('has not expired if a node that lags showed another nonce', async () => {
    const scene = setUpScene();
    const { state } = await loseApproval(scene);
    keep(scene, DELEGATE);
    const early = await scene.fail({ resume: state });
    keep(scene, NONCE);
    pass(scene, 400);
    const { error } = await scene.fail({ resume: early.state });
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    expect(scene.countOf('transaction')).toBe(1);
  });
});
