import {
  AddressLookupTableAccount,
  Keypair,
  MessageV0,
  PublicKey,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { setUpWallet } from './support.js';

const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const OTHER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const UNITS = 5n;

type Part = { data: readonly number[]; accounts: readonly string[] };

/** A wallet on a chain that makes blocks only when the test says so. */
async function setUpChain() {
  const { solana, wallet } = await setUpWallet();
  const { address: owner, features } = wallet.solana;
  solana.setAutomaticMining(false);
  const account = await solana.setTokenBalance('usdc', owner, 1_000n);
  const { mint } = solana.tokenOf('usdc');
  const { signTransaction } = features['solana:signTransaction'] as {
    signTransaction(input: object): Promise<[{ signedTransaction: Uint8Array }]>;
  };
  /** Signs a transaction whose last account of each instruction is the owner. */
  async function sign(parts: readonly Part[], blockhash?: string): Promise<Uint8Array> {
    const recentBlockhash = blockhash ?? (await solana.getLatestBlockhash()).blockhash;
    const feePayer = new PublicKey(owner);
    const instructions = parts.map(
      ({ data, accounts }) =>
        new TransactionInstruction({
          programId: TOKEN_PROGRAM,
          keys: accounts.map((one) => ({
            pubkey: new PublicKey(one),
            isSigner: one === owner,
            isWritable: one === account,
          })),
          data: Buffer.from(data),
        }),
    );
    const transaction = new Transaction({ feePayer, recentBlockhash }).add(...instructions);
    const bytes = new Uint8Array(transaction.serialize({ verifySignatures: false }));
    const [{ signedTransaction }] = await signTransaction({ transaction: bytes });
    return signedTransaction;
  }
  const approve = (units = UNITS): Part => ({
    data: [4, Number(units), 0, 0, 0, 0, 0, 0, 0],
    accounts: [account, solana.delegate, owner],
  });
  const approveChecked = (changes: { mint?: string; decimals?: number } = {}): Part => ({
    data: [13, Number(UNITS), 0, 0, 0, 0, 0, 0, 0, changes.decimals ?? 6],
    accounts: [account, changes.mint ?? mint, solana.delegate, owner],
  });
  const revoke = (): Part => ({ data: [5], accounts: [account, owner] });
  const send = async (...parts: Part[]) => solana.sendRawTransaction(await sign(parts));
  return {
    ...{ solana, owner, account, mint, sign, send, approve, approveChecked, revoke },
    lamports: async () => (await solana.getAccountInfo({ toBase58: () => owner }))?.lamports,
    delegation: () => solana.delegation('usdc', owner),
  };
}

type Scene = Awaited<ReturnType<typeof setUpChain>>;

describe('the token program of the mock Solana chain', () => {
  const freeze = (scene: Scene) =>
    scene.solana.setTokenBalance('usdc', scene.owner, 1_000n, { isFrozen: true });

  it.each<[string, (scene: Scene) => Part | Promise<Part>, string]>([
    [
      'an approval for a frozen account',
      async (scene) => {
        await freeze(scene);
        return scene.approve();
      },
      'custom program error: 0x11',
    ],
    [
      'a checked approval for a frozen account',
      async (scene) => {
        await freeze(scene);
        return scene.approveChecked();
      },
      'custom program error: 0x11',
    ],
    [
      'a revocation for a frozen account',
      async (scene) => {
        await freeze(scene);
        return scene.revoke();
      },
      'custom program error: 0x11',
    ],
    [
      'another mint',
      ({ solana, approveChecked }) => approveChecked({ mint: solana.tokenOf('usdt').mint }),
      'custom program error: 0x3',
    ],
    [
      'other decimals',
      ({ approveChecked }) => approveChecked({ decimals: 7 }),
      'custom program error: 0x12',
    ],
    [
      'another owner',
      ({ account, solana }) => ({
        data: [4, 5, 0, 0, 0, 0, 0, 0, 0],
        accounts: [account, solana.delegate, OTHER],
      }),
      'custom program error: 0x4',
    ],
    [
      'an owner who has not signed',
      async ({ solana }) => ({
        data: [5],
        accounts: [await solana.setTokenBalance('usdc', OTHER, 1n), OTHER],
      }),
      'MissingRequiredSignature',
    ],
    [
      'an account without tokens',
      ({ owner }) => ({ data: [5], accounts: [OTHER, owner] }),
      'InvalidAccountData',
    ],
    [
      'another instruction',
      ({ account, owner }) => ({ data: [3, 5], accounts: [account, OTHER, owner] }),
      'InvalidInstructionData',
    ],
  ])('refuses %s', async (_, part, detail) => {
    const scene = await setUpChain();
    await expect(scene.send(await part(scene))).rejects.toMatchObject({
      code: -32002,
      message: `Transaction simulation failed: Error processing Instruction 0: ${detail}`,
    });
    expect(scene.solana.transactions).toEqual([]);
  });

  it('runs the instructions of a transaction in their order', async () => {
    const { solana, send, approve, approveChecked, revoke, delegation } = await setUpChain();
    await send(revoke(), approve(7n), approveChecked());
    solana.mine();
    expect(await delegation()).toEqual({ delegate: solana.delegate, delegatedAmount: 5n });
    await send(approve(7n), revoke());
    solana.mine();
    expect(await delegation()).toEqual({ delegate: null, delegatedAmount: 0n });
  });

  // From 128 on, their number has two bytes.
  it.each([127, 128])('runs a transaction of %i instructions to its end', async (count) => {
    const { solana, send, approve, revoke, delegation } = await setUpChain();
    await send(...Array<Part>(count - 1).fill(revoke()), approve());
    solana.mine();
    expect(await delegation()).toEqual({ delegate: solana.delegate, delegatedAmount: 5n });
  });

  it('keeps the delegate when the balance changes', async () => {
    const { solana, send, approve, owner, delegation } = await setUpChain();
    await send(approve());
    solana.mine();
    await solana.setTokenBalance('usdc', owner, 1n);
    expect(await delegation()).toEqual({ delegate: solana.delegate, delegatedAmount: 5n });
  });
});

describe('the fee on the mock Solana chain', () => {
  it.each([
    [0n, 'Attempt to debit an account but found no record of a prior credit.'],
    [4_999n, 'Insufficient funds for fee'],
  ])('cannot be paid with %d lamports', async (lamports, reason) => {
    const { solana, owner, send, approve } = await setUpChain();
    solana.setBalance(owner, lamports);
    await expect(send(approve())).rejects.toThrow(`Transaction simulation failed: ${reason}`);
    expect(solana.transactions).toEqual([]);
  });

  it.each([
    [5_000n, undefined],
    [12_000n, 7_000],
  ])('is paid from %d lamports, also by a transaction that fails', async (lamports, left) => {
    for (const fails of [false, true]) {
      const scene = await setUpChain();
      scene.solana.setBalance(scene.owner, lamports);
      if (fails) scene.solana.revertNext();
      await scene.send(scene.approve());
      scene.solana.mine();
      expect(await scene.lamports()).toBe(left);
      expect(await scene.delegation()).toMatchObject({ delegatedAmount: fails ? 0n : 5n });
    }
  });
});

describe('a transaction with another fee payer', () => {
  /** Both sign a revocation of the owner, who has 1,000 units; the payer has some lamports. */
  async function setUpPayer(lamports: bigint) {
    const { solana } = await setUpWallet();
    solana.setAutomaticMining(false);
    const [payer, owner, table] = [Keypair.generate(), Keypair.generate(), Keypair.generate()];
    const addressOf = ({ publicKey }: Keypair) => publicKey.toBase58();
    solana.setBalance(addressOf(payer), lamports);
    const account = new PublicKey(await solana.setTokenBalance('usdc', addressOf(owner), 1_000n));
    const keys = [
      { pubkey: account, isSigner: false, isWritable: true },
      { pubkey: owner.publicKey, isSigner: true, isWritable: false },
    ];
    const revoke = new TransactionInstruction({
      programId: TOKEN_PROGRAM,
      keys,
      data: Buffer.from([5]),
    });
    const { blockhash } = await solana.getLatestBlockhash();
    /** The wire format of version 0, with the account from a lookup table if asked for. */
    function versioned({ isLookedUp = false } = {}): Uint8Array {
      const state = {
        addresses: [account],
        authority: payer.publicKey,
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
      };
      const message = MessageV0.compile({
        payerKey: payer.publicKey,
        instructions: [revoke],
        recentBlockhash: blockhash,
        addressLookupTableAccounts: isLookedUp
          ? [new AddressLookupTableAccount({ key: table.publicKey, state })]
          : [],
      });
      const transaction = new VersionedTransaction(message);
      transaction.sign([payer, owner]);
      return transaction.serialize();
    }
    const lamportsOf = async () =>
      (await solana.getAccountInfo({ toBase58: () => addressOf(payer) }))?.lamports;
    return { solana, versioned, lamportsOf };
  }

  it('costs the payer 5,000 lamports for each of both signatures', async () => {
    const { solana, versioned, lamportsOf } = await setUpPayer(10_001n);
    await solana.sendRawTransaction(versioned());
    solana.mine();
    expect(solana.transactions).toMatchObject([{ err: null }]);
    expect(await lamportsOf()).toBe(1);
  });

  it('cannot be paid with the fee of one signature', async () => {
    const { solana, versioned } = await setUpPayer(9_999n);
    await expect(solana.sendRawTransaction(versioned())).rejects.toThrow(
      'Insufficient funds for fee',
    );
  });

  it('is refused with a lookup table or of another version, which this chain cannot read', async () => {
    const { solana, versioned } = await setUpPayer(10_000n);
    await expect(solana.sendRawTransaction(versioned({ isLookedUp: true }))).rejects.toThrow(
      'address lookup tables are not supported',
    );
    const next = versioned();
    // The version follows the two signatures.
    expect(next[1 + 2 * 64]).toBe(0x80);
    next[1 + 2 * 64] = 0x81;
    await expect(solana.sendRawTransaction(next)).rejects.toThrow(
      'only transactions of version 0 are supported',
    );
    expect(solana.transactions).toEqual([]);
  });
});

describe('a transaction of the mock Solana chain', () => {
  it.each([
    [149, 'executed'],
    [150, 'forgotten'],
    [151, 'refused'],
  ])('that is sent %i blocks after its blockhash is %s', async (blocks, result) => {
    const { solana, sign, approve } = await setUpChain();
    const height = await solana.getBlockHeight();
    const { blockhash, lastValidBlockHeight } = await solana.getLatestBlockhash();
    expect(lastValidBlockHeight).toBe(height + 150);
    const signed = await sign([approve()], blockhash);
    solana.mine(blocks);
    const sent = solana.sendRawTransaction(signed);
    if (result === 'refused') await expect(sent).rejects.toThrow('Blockhash not found');
    else await sent;
    solana.mine();
    const slots = solana.transactions.map(({ slot }) => slot);
    expect(slots).toEqual(result === 'executed' ? [lastValidBlockHeight] : []);
  });

  it('that waits is in the first of many new blocks', async () => {
    const { solana, send, approve } = await setUpChain();
    const height = await solana.getBlockHeight();
    await send(approve());
    solana.mine(200);
    expect(solana.transactions).toMatchObject([{ slot: height + 1, err: null }]);
  });

  it('is refused with a blockhash of another chain, or a changed signature', async () => {
    const { solana, sign, approve } = await setUpChain();
    const foreign = await sign([approve()], OTHER);
    await expect(solana.sendRawTransaction(foreign)).rejects.toThrow('Blockhash not found');
    const changed = await sign([approve()]);
    changed[1] = (changed[1] ?? 0) ^ 1;
    await expect(solana.sendRawTransaction(changed)).rejects.toThrow(
      'Transaction signature verification failure',
    );
    expect(solana.transactions).toEqual([]);
  });

  it('is executed once, however often it is sent', async () => {
    const { solana, sign, approve } = await setUpChain();
    const signed = await sign([approve()]);
    const signature = await solana.sendRawTransaction(signed);
    expect(await solana.sendRawTransaction(signed)).toBe(signature);
    solana.mine();
    expect(solana.transactions).toMatchObject([{ signature }]);
    await expect(solana.sendRawTransaction(signed)).rejects.toThrow(
      'This transaction has already been processed',
    );
  });

  it('that was dropped is never executed, even if it is sent again', async () => {
    const { solana, sign, approve } = await setUpChain();
    const signed = await sign([approve()]);
    await solana.sendRawTransaction(signed);
    solana.dropPending();
    await solana.sendRawTransaction(signed);
    solana.mine();
    expect(solana.transactions).toEqual([]);
  });

  it('after one that revertNext made fail succeeds', async () => {
    const { solana, send, approve } = await setUpChain();
    solana.revertNext();
    await send(approve());
    solana.mine();
    await send(approve(7n));
    solana.mine();
    expect(solana.transactions).toMatchObject([{ err: expect.anything() }, { err: null }]);
  });
});

describe('the node of the mock Solana chain', () => {
  it.each([
    [31, false],
    [32, true],
  ])('reads a transaction %i blocks later as final: %s', async (blocks, isFinal) => {
    const { solana, send, approve, account } = await setUpChain();
    const signature = await send(approve());
    solana.mine();
    solana.mine(blocks);
    const { value } = await solana.getSignatureStatuses([signature]);
    expect(value).toMatchObject([
      isFinal
        ? { confirmationStatus: 'finalized', confirmations: null }
        : { confirmationStatus: 'confirmed' },
    ]);
    const found = await solana.getTransaction(signature, { commitment: 'finalized' });
    expect(found !== null).toBe(isFinal);
    const read = [{ toBase58: () => account }];
    const [info] = await solana.getMultipleAccountsInfo(read, 'finalized');
    // Whether the account has a delegate.
    expect(info?.data[72]).toBe(isFinal ? 1 : 0);
    const height = await solana.getBlockHeight();
    expect(await solana.getBlockHeight('finalized')).toBe(height - 32);
    expect(await solana.getEpochInfo('finalized')).toEqual({
      absoluteSlot: height - 32,
      blockHeight: height - 32,
    });
  });

  it('lists the transactions of an account, newest first', async () => {
    const { solana, send, approve, account } = await setUpChain();
    const signatures: string[] = [];
    for (const units of [1n, 2n, 3n]) {
      signatures.unshift(await send(approve(units)));
      solana.mine();
    }
    const list = async (of: string, options: { limit?: number } = {}) => {
      const found = await solana.getSignaturesForAddress({ toBase58: () => of }, options);
      return found.map(({ signature }) => signature);
    };
    expect(await list(account)).toEqual(signatures);
    expect(await list(account, { limit: 2 })).toEqual(signatures.slice(0, 2));
    expect(await list(OTHER)).toEqual([]);
  });

  it('that lags does not know the newest block', async () => {
    const { solana, send, approve, account } = await setUpChain();
    const height = await solana.getBlockHeight();
    const signature = await send(approve());
    solana.mine();
    const read = { toBase58: () => account };
    for (const [blocks, isKnown] of [
      [1, false],
      [0, true],
    ] as const) {
      solana.lagBehind(blocks);
      const { value, context } = await solana.getSignatureStatuses([signature]);
      expect(value[0] !== null).toBe(isKnown);
      expect(context.slot).toBe(height + 1 - blocks);
      expect((await solana.getTransaction(signature)) !== null).toBe(isKnown);
      expect(await solana.getSignaturesForAddress(read)).toHaveLength(isKnown ? 1 : 0);
      expect((await solana.getAccountInfo(read))?.data[72]).toBe(isKnown ? 1 : 0);
    }
  });
});

it('the token account of a wallet is the associated one, whichever bump its address needs', async () => {
  const { solana } = await setUpWallet();
  const program = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
  const mint = new PublicKey(solana.tokenOf('usdc').mint).toBytes();
  const bumps = new Set<number>();
  for (let number = 1; number <= 40; number++) {
    const owner = Keypair.fromSeed(new Uint8Array(32).fill(number)).publicKey;
    const seeds = [owner.toBytes(), TOKEN_PROGRAM.toBytes(), mint];
    const [address, bump] = PublicKey.findProgramAddressSync(seeds, program);
    expect(await solana.setTokenBalance('usdc', owner.toBase58(), 1n)).toBe(address.toBase58());
    bumps.add(bump);
  }
  expect(bumps.size).toBeGreaterThan(2);
});

it('a token account holds the lamports that free it from rent', async () => {
  const { solana, account } = await setUpChain();
  // 165 bytes and 128 more for the account, 3,480 lamports for each in a year, for two years.
  const read = await solana.getAccountInfo({ toBase58: () => account });
  expect(read?.lamports).toBe((165 + 128) * 3_480 * 2);
});
