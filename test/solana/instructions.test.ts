import { address, createNoopSigner } from '@solana/kit';
import { PublicKey, Transaction } from '@solana/web3.js';
import {
  findAssociatedTokenPda,
  getApproveCheckedInstruction,
  getRevokeInstruction,
} from '@solana-program/token';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  associatedTokenAccount,
  buildSolanaApproval,
  buildSolanaRevoke,
  SOLANA_CURRENCIES,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../src/solana/index.js';
import { toKitInstruction } from '../../src/solana/kit/index.js';
import { encodeTransaction } from '../../src/solana/transaction.js';
import { toWeb3Instruction, toWeb3Transaction } from '../../src/solana/web3/index.js';

const someAddress = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte > 0))
  .map((bytes) => bs58.encode(bytes));
const someProgram = fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM);
const someApproval = fc
  .record({
    owner: someAddress,
    mint: someAddress,
    spender: someAddress,
    tokenAccount: someAddress,
    programAddress: someProgram,
    amount: fc.bigInt({ min: 1n, max: 2n ** 63n }),
    decimals: fc.integer({ min: 0, max: 255 }),
  })
  .filter(({ owner, spender }) => owner !== spender);

/** Returns an instruction in a form that can be compared by value. */
function comparable(instruction: {
  programAddress: string;
  accounts?: readonly { address: string; role: number }[];
  data?: ArrayLike<number>;
}) {
  const { programAddress, accounts = [], data = [] } = instruction;
  return {
    programAddress,
    accounts: accounts.map((account) => ({ address: account.address, role: account.role })),
    data: Array.from(data),
  };
}

describe('a Solana approval', () => {
  it('equals that of @solana-program/token for any amount and accounts', () => {
    fc.assert(
      fc.property(someApproval, (input) => {
        const oracle = getApproveCheckedInstruction(
          {
            source: address(input.tokenAccount),
            mint: address(input.mint),
            delegate: address(input.spender),
            owner: createNoopSigner(address(input.owner)),
            amount: input.amount,
            decimals: input.decimals,
          },
          { programAddress: address(input.programAddress) },
        );
        expect(comparable(buildSolanaApproval(input))).toEqual(comparable(oracle));
      }),
    );
  });

  it('uses by default an associated token account that equals that of @solana-program/token', async () => {
    await fc.assert(
      fc.asyncProperty(
        someAddress,
        someAddress,
        someProgram,
        async (owner, mint, programAddress) => {
          const [oracle] = await findAssociatedTokenPda({
            owner: address(owner),
            mint: address(mint),
            tokenProgram: address(programAddress),
          });
          expect(associatedTokenAccount({ owner, mint, programAddress })).toBe(oracle);
        },
      ),
    );
  });

  it('belong to their own owner, mint and program, whatever was derived before', () => {
    const { mint } = SOLANA_CURRENCIES.usdc;
    const owners = Array.from({ length: 40 }, (_, index) =>
      bs58.encode(new Uint8Array(32).fill(index + 1)),
    );
    const derive = () =>
      owners.flatMap((owner) => [
        associatedTokenAccount({ owner, mint }),
        associatedTokenAccount({ owner, mint, programAddress: TOKEN_2022_PROGRAM }),
        associatedTokenAccount({ owner: mint, mint: owner }),
      ]);
    const first = derive();
    expect(new Set(first).size).toBe(first.length);
    expect(derive()).toEqual(first);
    const [owner = '', same] = [owners.at(-1), first.at(-3)];
    expect(associatedTokenAccount({ owner, mint })).toBe(same);
    const wrapped = { owner: [owner], mint } as unknown as { owner: string; mint: string };
    expect(() => associatedTokenAccount(wrapped)).toThrow(/owner/);
  });

  it('is unlimited only when requested explicitly', () => {
    fc.assert(
      fc.property(someApproval, (input) => {
        const { data } = buildSolanaApproval({ ...input, amount: 'unlimited' });
        expect([...data.subarray(1, 9)]).toEqual(Array(8).fill(255));
        expect(() => buildSolanaApproval({ ...input, amount: 2n ** 63n + 1n })).toThrow(/amount/);
      }),
    );
  });
});

it('a Solana revocation equals that of @solana-program/token', () => {
  fc.assert(
    fc.property(someApproval, ({ owner, mint, tokenAccount, programAddress }) => {
      const oracle = getRevokeInstruction(
        { source: address(tokenAccount), owner: createNoopSigner(address(owner)) },
        { programAddress: address(programAddress) },
      );
      const revocation = buildSolanaRevoke({ owner, mint, tokenAccount, programAddress });
      expect(comparable(revocation)).toEqual(comparable(oracle));
    }),
  );
});

describe('an encoded Solana transaction', () => {
  it('has the same bytes as with @solana/web3.js', () => {
    fc.assert(
      fc.property(
        someApproval,
        someAddress,
        someAddress,
        fc.boolean(),
        (input, feePayer, blockhash, paysItself) => {
          const instructions = [buildSolanaApproval(input), buildSolanaRevoke(input)];
          const payer = paysItself ? input.owner : feePayer;
          const oracle = toWeb3Transaction({
            feePayer: payer,
            blockhash,
            instructions,
            lastValidBlockHeight: 1,
          }).serialize({ requireAllSignatures: false });
          const encoded = encodeTransaction({ feePayer: payer, blockhash, instructions });
          expect(encoded).toEqual(Uint8Array.from(oracle));
        },
      ),
    );
  });

  it.each([127, 128])('of %i instructions has the same bytes as with @solana/web3.js', (count) => {
    const [owner, mint] = [SOLANA_CURRENCIES.usdt.mint, SOLANA_CURRENCIES.usdc.mint];
    const instructions = Array(count).fill(buildSolanaRevoke({ owner, mint }));
    const blockhash = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
    const input = { feePayer: owner, blockhash, instructions };
    const oracle = toWeb3Transaction({ ...input, lastValidBlockHeight: 1 });
    expect(encodeTransaction(input)).toEqual(
      Uint8Array.from(oracle.serialize({ requireAllSignatures: false })),
    );
  });

  it('is decoded to the same instruction by @solana/web3.js', () => {
    fc.assert(
      fc.property(someApproval, someAddress, (input, blockhash) => {
        const instruction = buildSolanaApproval(input);
        const bytes = encodeTransaction({
          feePayer: input.owner,
          blockhash,
          instructions: [instruction],
        });
        const decoded = Transaction.from(bytes);
        expect(decoded.recentBlockhash).toBe(blockhash);
        expect(decoded.feePayer?.toBase58()).toBe(input.owner);
        expect(decoded.instructions[0]?.keys.map(({ pubkey }) => pubkey.toBase58())).toEqual(
          instruction.accounts.map((account) => account.address),
        );
        expect(Uint8Array.from(decoded.instructions[0]?.data ?? [])).toEqual(instruction.data);
      }),
    );
  });

  it('is refused with a blockhash that does not have 32 bytes', () => {
    const instructions = [
      buildSolanaRevoke({
        owner: SOLANA_CURRENCIES.usdt.mint,
        mint: SOLANA_CURRENCIES.usdc.mint,
      }),
    ];
    const feePayer = SOLANA_CURRENCIES.usdt.mint;
    expect(() => encodeTransaction({ feePayer, blockhash: 'abc', instructions })).toThrow(
      /blockhash/,
    );
  });
});

describe('an instruction', () => {
  const approval = buildSolanaApproval({
    ...SOLANA_CURRENCIES.usdc,
    owner: '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
    spender: '7C4jsPZpht42Tw6MjXWF56Q5RQUocjBBmciEjDa8HRtp',
    amount: 1n,
  });

  it('is converted to the instruction class of @solana/web3.js', () => {
    const instruction = toWeb3Instruction(approval);
    expect(instruction.programId).toEqual(
      new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
    );
    expect(instruction.keys.map(({ isSigner, isWritable }) => [isSigner, isWritable])).toEqual([
      [false, true],
      [false, false],
      [false, false],
      [true, false],
    ]);
    expect(Uint8Array.from(instruction.data)).toEqual(approval.data);
  });

  it('is passed to @solana/kit as the same object', () => {
    expect(toKitInstruction(approval)).toBe(approval);
  });
});
