/** A number from its bytes, least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n);
}

/** The eight bytes of a u64, least significant first. */
export function u64(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

/** The rights of a transaction on an account. The same numbers as in @solana/kit. */
export const AccountRole = {
  readonly: 0,
  writable: 1,
  readonlySigner: 2,
  writableSigner: 3,
} as const;

/** One of the four values of {@link AccountRole}. */
export type AccountRole = (typeof AccountRole)[keyof typeof AccountRole];

/** An account that an instruction uses. */
export type InstructionAccount = {
  /** Base58 of 32 bytes. */
  readonly address: string;
  /** Whether it is written to, and whether it must sign. */
  readonly role: AccountRole;
};

/** An instruction as plain data, for any Solana library. */
export type SolanaInstruction = {
  /** The program that executes it, base58 of 32 bytes. */
  readonly programAddress: string;
  /** The accounts it uses, in the program's order. */
  readonly accounts: readonly InstructionAccount[];
  /** The instruction data. */
  readonly data: Uint8Array;
};

/** An account that an instruction names, with its role. */
export function account(address: string, role: AccountRole): InstructionAccount {
  return { address, role };
}
