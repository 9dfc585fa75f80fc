import type { Open } from './common.js';

/**
 * The closed lists of the contract: the values that a request may have by default. The service
 * grows faster than an SDK is released, so a caller can add to each of them (client option
 * `additions`).
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
  /**
   * Schemes of your app, for example `myapp`: `redirectUrl` may then be `myapp://done`. Without
   * them it must be https, or http on this machine.
   */
  redirectSchemes: [],
} as const satisfies Record<string, readonly string[]>;

/** Name of a list that a caller can add to. */
export type ListName = keyof typeof LISTS;

/** A value of a list of the contract, or one that the caller added (client option `additions`). */
export type Listed<Name extends ListName> = Open<(typeof LISTS)[Name][number]>;

/**
 * The addresses of a network, for withdrawals from custodial wallets on it. They replace the formats
 * that this package knows.
 */
export type AddressFormat = {
  /**
   * Whether a text is an address of the network. It decides which wallets are on the network, by their
   * `sourceAddress`, and which recipients they can pay. A validator that throws means `false`.
   */
  readonly isAddress: (address: string) => boolean;
  /** Whether transfers are lost without a memo or destination tag, so `recipientMemo` is required. */
  readonly hasMemos: boolean;
};

/** Address formats by the name of their network. The names are yours: the service never gets them. */
export type AddressFormats = { readonly [network: string]: AddressFormat };

/** Values that a caller adds to the closed lists of the contract, and address formats. */
export type Additions = { readonly [Name in ListName]?: readonly string[] | undefined } & {
  /**
   * Address formats by network, for withdrawals from custodial wallets: a withdrawal whose
   * `sourceAddress` has one of the formats can go to addresses of that format only.
   *
   * @example
   * ```ts
   * import { CardPlatformClient } from 'card-platform-sdk';
   *
   * const client = new CardPlatformClient({
   *   baseUrl: 'https://api.example.com',
   *   clientKey: 'your-client-key',
   *   additions: {
   *     addressFormats: {
   *       // Better: the validator of a library, which checks the checksum too.
   *       algorand: { isAddress: (text) => /^[A-Z2-7]{58}$/.test(text), hasMemos: false },
   *     },
   *   },
   * });
   * ```
   */
  readonly addressFormats?: AddressFormats | undefined;
};

/** The chain ids of the EVM networks of the contract. */
export const CHAIN_IDS: Readonly<Record<string, number>> = { linea: 59144, ethereum: 1 };

/** A kind of address: EVM networks share one, Solana has another. */
export type AddressFamily = 'evm' | 'solana';

type KnownCurrency = {
  readonly code: string;
  /** The kinds of address that can receive it. */
  readonly families: readonly AddressFamily[];
  /** How many decimals its tokens have. */
  readonly decimals?: number;
};

/**
 * What is known about currencies, so that a mistyped withdrawal is refused before it is sent. The
 * contract documents neither decimals nor addresses, so this is our choice; other currencies are
 * not checked this far.
 */
const KNOWN_CURRENCIES: readonly KnownCurrency[] = [
  { code: 'usdc', families: ['evm', 'solana'], decimals: 6 },
  { code: 'usdt', families: ['evm', 'solana'], decimals: 6 },
  { code: 'sol', families: ['solana'] },
];

/** Returns what is known about a currency. */
export function knownCurrency(code: unknown): KnownCurrency | undefined {
  return KNOWN_CURRENCIES.find((known) => known.code === code);
}
