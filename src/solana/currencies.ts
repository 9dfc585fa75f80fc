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
