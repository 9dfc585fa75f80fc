import { address, none, some } from '@solana/kit';
import { AccountState, getMintEncoder, getTokenEncoder } from '@solana-program/token';
import bs58 from 'bs58';
import { describe, expect, it } from 'vitest';
import { decodeMintDecimals, decodeTokenAccount } from '../../src/solana/token-account.js';

const addressOf = (byte: number) => bs58.encode(new Uint8Array(32).fill(byte));
const [MINT, OWNER, DELEGATE] = [addressOf(1), addressOf(2), addressOf(3)];

const tokenAccount = new Uint8Array(
  getTokenEncoder().encode({
    mint: address(MINT),
    owner: address(OWNER),
    amount: 7n,
    delegate: some(address(DELEGATE)),
    state: AccountState.Initialized,
    isNative: none(),
    delegatedAmount: 5n,
    closeAuthority: none(),
  }),
);
const mint = new Uint8Array(
  getMintEncoder().encode({
    mintAuthority: none(),
    supply: 9n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: none(),
  }),
);

/** The bytes of an account of Token-2022: the type is byte 165, and extensions follow. */
function withExtension(plain: Uint8Array, type: number, size = 170): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes.set(plain);
  bytes[165] = type;
  return bytes;
}

const DECODED = {
  mint: MINT,
  owner: OWNER,
  balance: 7n,
  delegate: DELEGATE,
  delegatedAmount: 5n,
  isFrozen: false,
};

describe('the bytes of a token account', () => {
  it.each([
    ['without extensions', tokenAccount],
    ['with extensions', withExtension(tokenAccount, 2)],
    ['with extensions that make it longer than a multisig', withExtension(tokenAccount, 2, 356)],
  ])('are read %s', (_, bytes) => {
    expect(decodeTokenAccount(bytes)).toEqual(DECODED);
  });

  it.each([
    ['a mint', mint],
    ['a mint with extensions', withExtension(mint, 1)],
    ['another type', withExtension(tokenAccount, 3)],
    ['a multisig, whose bytes may look like a type', withExtension(tokenAccount, 2, 355)],
    ['one byte too few', tokenAccount.subarray(0, 164)],
    ['no byte', new Uint8Array()],
  ])('are not those of %s', (_, bytes) => {
    expect(decodeTokenAccount(bytes)).toBeUndefined();
  });
});

describe('the decimals of a mint', () => {
  it.each([
    ['without extensions', mint],
    ['with extensions', withExtension(mint, 1)],
  ])('are read %s', (_, bytes) => {
    expect(decodeMintDecimals(bytes)).toBe(6);
  });

  it.each([
    ['a token account', tokenAccount],
    ['a token account with extensions', withExtension(tokenAccount, 2)],
    ['a multisig', withExtension(mint, 1, 355)],
    ['an uninitialized mint', mint.map((byte, at) => (at === 45 ? 0 : byte))],
    ['one byte too many', withExtension(mint, 0, 83)],
  ])('are not read from %s', (_, bytes) => {
    expect(decodeMintDecimals(bytes)).toBeUndefined();
  });
});
