import type { SolanaCommitment } from './connection.js';
import type { SolanaCurrency } from './currencies.js';
import type { SolanaAccountReader } from './flow/read-accounts.js';
import type { ReadingOptions } from './flow/reading-context.js';

/** Which wallets to read, and where. */
export type SolanaSpendingPowerInput = ReadingOptions & {
  /**
   * The registered wallets: the result of `client.wallets.external.list()`. Entries of other networks
   * are left out.
   */
  wallets: readonly unknown[];
  /** A connection to the chain. With `getMultipleAccountsInfo`, one request reads 100 accounts. */
  connection: SolanaAccountReader;
  /** Who may spend: the platform's delegate. */
  delegate: string;
  /** Mint and decimals by currency, in addition to usdc and usdt of the main network. */
  tokens?: Readonly<Record<string, SolanaCurrency>> | undefined;
  /** How certain the cluster must be. Default `confirmed`. */
  commitment?: SolanaCommitment | undefined;
};

/** What the delegate can spend from a registered wallet now, in units of the currency. */
export type SolanaSpendingPower = {
  /** The wallet. */
  readonly address: string;
  /** The currency in lower case. */
  readonly currency: string;
  /**
   * The limit that the service shows for the wallet, for a progress bar; `undefined` if it is not a
   * decimal.
   */
  readonly limit: string | undefined;
  /** The token account; `undefined` if it cannot be derived. */
  readonly tokenAccount: string | undefined;
  /** Who may spend now; `null` if nobody may. */
  readonly delegate: string | null;
  /** How much the platform's delegate may still spend. */
  readonly allowance: string;
  /** How much the token account holds. */
  readonly balance: string;
  /** The smaller of both: what can be spent now. */
  readonly spendable: string;
  /** Why nothing can be spent although the amounts may be above zero; otherwise `undefined`. */
  readonly reason:
    | 'unknown_currency'
    | 'invalid_address'
    | 'mint_not_found'
    | 'wrong_decimals'
    | 'no_token_account'
    | 'other_delegate'
    | 'frozen'
    | undefined;
};
