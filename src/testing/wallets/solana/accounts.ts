import { decodeBase58 } from '../../../contract/formats/base58.js';

/** The programs that the tiny chain knows. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

/** Programs whose instructions change nothing that the chain keeps. */
export const IGNORED_PROGRAMS: readonly string[] = [
  'ComputeBudget111111111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
];

/** A token account as the chain keeps it. */
export type TokenAccountState = {
  readonly mint: string;
  readonly owner: string;
  readonly balance: bigint;
  readonly delegate: string | null;
  readonly delegatedAmount: bigint;
  readonly isFrozen: boolean;
};

/** The bytes of a token account. */
export function encodeTokenAccount(state: TokenAccountState): Uint8Array {
  const data = new Uint8Array(165);
  data.set(bytesOf(state.mint), 0);
  data.set(bytesOf(state.owner), 32);
  data.set(u64(state.balance), 64);
  data[108] = state.isFrozen ? 2 : 1;
  if (state.delegate !== null) {
    data[72] = 1;
    data.set(bytesOf(state.delegate), 76);
    data.set(u64(state.delegatedAmount), 121);
  }
  return data;
}

/** The bytes of a mint without authorities. */
export function encodeMint(decimals: number): Uint8Array {
  const data = new Uint8Array(82);
  data.set(u64(2n ** 60n), 36);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

/** Returns the number that bytes encode, least significant first. */
export function readLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n);
}

function u64(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

function bytesOf(address: string): Uint8Array {
  return decodeBase58(address) ?? new Uint8Array();
}
