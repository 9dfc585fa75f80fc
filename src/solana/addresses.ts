import { decodeBase58 } from '../contract/formats/base58.js';
import { invalid } from '../delegation/check-values.js';

/** The SPL-Token program. */
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
/** The Token-2022 program, which some newer mints belong to. */
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
/** The program that the account of every key belongs to, unless another one has taken it over. */
export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
/** The program that every wallet's default token accounts are derived with. */
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';

/** The 32 bytes of an address. */
export function addressBytes(address: string, path: string): Uint8Array {
  const bytes = typeof address === 'string' ? decodeBase58(address) : undefined;
  return bytes?.length === 32 ? bytes : invalid(path, 'must be base58 of 32 bytes');
}

/** Checks that an address is one of the two token programs. */
export function requireTokenProgram(address: string): string {
  return address === TOKEN_PROGRAM || address === TOKEN_2022_PROGRAM
    ? address
    : invalid('programAddress', 'must be the SPL-Token or the Token-2022 program');
}

/** A token on Solana. */
export type SolanaCurrency = {
  /** The mint's address, base58 of 32 bytes. */
  mint: string;
  /** How many decimals the mint has. */
  decimals: number;
  /** The program that the mint belongs to. Default: the one that the chain shows. */
  programAddress?: string | undefined;
};

/** The mints of the contract's currencies on Solana's main network. */
export const SOLANA_CURRENCIES = {
  usdc: { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 },
  usdt: { mint: 'Es9vMFrzaCERmJfrF4F2FYD4KCoNkY11McCe8BenwNYB', decimals: 6 },
} as const satisfies Record<string, SolanaCurrency>;
