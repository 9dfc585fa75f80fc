import type { ReadingOptions } from '../delegation/reading-context.js';
import type { SolanaCommitment } from './connection.js';
import type { SolanaCurrency } from './currencies.js';
import type { SolanaAccountReader } from './flow/read-accounts.js';

/** The wallets to read, and the connection to read them from. */
export type SolanaSpendingPowerInput = ReadingOptions & {
  /**
   * The registered wallets: the result of `client.wallets.external.list()`. Entries of other networks
   * are in `leftOut`.
   */
  wallets: readonly unknown[];
  /** A connection to the chain. With `getMultipleAccountsInfo`, one request reads 100 accounts. */
  node: SolanaAccountReader;
  /** The key that may spend: the platform's delegate. */
  spender: string;
  /** Mint and decimals by currency, in addition to usdc and usdt of the main network. */
  tokens?: Readonly<Record<string, SolanaCurrency>> | undefined;
  /** How certain the cluster must be. Default `confirmed`. */
  commitment?: SolanaCommitment | undefined;
};

/**
 * The spending power of the delegate from a registered wallet. Amounts are in units of the
 * currency.
 */
export type SolanaSpendingPower = {
  /** The wallet. */
  readonly address: string;
  /** The currency in lower case. */
  readonly currency: string;
  /** The token account. */
  readonly tokenAccount: string;
  /** The delegate that may spend now; `null` if there is none. */
  readonly delegate: string | null;
  /**
   * The limit that the service lists: the whole of a progress bar. `undefined` if it is not a number.
   */
  readonly cap: string | undefined;
  /** The rest of the limit on the chain, for the platform's delegate. */
  readonly limit: string;
  /** The balance of the token account. */
  readonly balance: string;
  /** The amount that can be spent now: the smaller of limit and balance. */
  readonly spendable: string;
  /** Why nothing can be spent, if the amounts do not show it. */
  readonly reason: 'no-token-account' | 'other-delegate' | 'frozen' | undefined;
};

/** The result of `readSolanaSpendingPower`. */
export type SolanaSpendingPowers = {
  readonly wallets: readonly SolanaSpendingPower[];
  /**
   * Entries without a result. `not-solana`: of another network, or not an entry. `invalid-address`:
   * not an address. `unknown-currency`: not in `tokens`. `unreadable`: this chain has no such mint.
   * `wrong-decimals`: the mint has other decimals than `tokens`, so every amount would be wrong.
   */
  readonly leftOut: readonly {
    readonly wallet: unknown;
    readonly reason:
      | 'not-solana'
      | 'invalid-address'
      | 'unknown-currency'
      | 'unreadable'
      | 'wrong-decimals';
  }[];
};
