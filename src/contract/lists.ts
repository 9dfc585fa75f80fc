import type { Open } from './common.js';

/**
 * The closed lists of the contract: the default of what a request may say. The service grows
 * faster than an SDK is released, so a caller can add to each of them (client option `additions`).
 */
export const LISTS = {
  /** Networks on which the faucet sends native tokens. */
  faucetNetworks: ['linea', 'solana', 'base'],
  /** Networks on which an EVM approval can be proven. */
  evmNetworks: ['linea', 'ethereum'],
  /** Networks on which a Solana approval can be proven. */
  solanaNetworks: ['solana'],
  /** Currencies that can be delegated. */
  delegationCurrencies: ['usdc', 'usdt'],
  /** How an order can be paid. */
  paymentMethods: ['CRYPTO_EXTERNAL_GATEWAY'],
} as const satisfies Record<string, readonly string[]>;

/** Name of a list that a caller can add to. */
export type ListName = keyof typeof LISTS;

/** A value of a list of the contract, or one that the caller added (client option `additions`). */
export type Listed<Name extends ListName> = Open<(typeof LISTS)[Name][number]>;

/** The chain ids of the EVM networks of the contract. */
export const CHAIN_IDS: Readonly<Record<string, number>> = { linea: 59144, ethereum: 1 };

/** How many decimals an amount can have, of the currencies whose decimals are known. */
export const CURRENCY_DECIMALS: Readonly<Record<string, number>> = { usdc: 6, usdt: 6 };

/**
 * Currencies whose transfers are lost without a memo or destination tag. The contract names no
 * list ("required for networks that use memos"), so this is our choice: for these the caller must pass
 * the memo, or `null` on purpose.
 */
export const MEMO_CURRENCIES: readonly string[] = ['xrp'];
