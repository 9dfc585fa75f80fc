import type { EvmDelegationOptions } from '../flow/options.js';

/**
 * The options of `previewEvmDelegation`: the options of `delegateEvm`, so that you can pass the
 * same object to both. Options that are not listed here are ignored.
 */
export type EvmPreviewOptions = Pick<
  EvmDelegationOptions,
  | 'node'
  | 'address'
  | 'network'
  | 'currency'
  | 'networks'
  | 'amount'
  | 'cap'
  | 'unlimited'
  | 'spender'
  | 'confirmSpender'
  | 'allowSpenderWithoutCode'
  | 'wireAmount'
  | 'faucet'
  | 'checkFunds'
  | 'region'
  | 'readTimeout'
  | 'signal'
> & {
  /** The wallet, of which only the address is read. Not needed with `address`. */
  wallet?: EvmDelegationOptions['wallet'] | undefined;
  /** Needed with `'chain-config'` as `spender` or `networks`. */
  client?: EvmDelegationOptions['client'] | undefined;
};

/** Something that would make a delegation fail, or cost the user more than expected. */
export type EvmPreviewProblem = {
  /**
   * `approval-refused`: the token refuses the approval, because it is paused or blocks the account
   * or the spender. `no-gas`: the wallet cannot pay the estimated fee. `resets-first`: the token
   * needs one more transaction, which sets the old limit to zero. `balance-below-amount`: the
   * wallet has fewer tokens than the limit, which can still be set.
   */
  code: 'approval-refused' | 'no-gas' | 'resets-first' | 'balance-below-amount';
  /**
   * Whether the delegation would fail. `no-gas` does not block it where the flow asks the faucet, or with
   * `checkFunds: false`.
   */
  isBlocking: boolean;
  /** An English sentence for the user. Translate by `code`. */
  message: string;
  /**
   * With `approval-refused`: the token's reason, for your log. It is the token's text in quotes,
   * such as `"Pausable: paused"`, or the selector of a custom error, such as `error 0xd93c0665`,
   * whose name is not on the chain. Missing if the node does not report it.
   */
  reason?: string | undefined;
};

/**
 * The effects that a delegation would have, as plain data. A field that could not be read is
 * `undefined`.
 */
export type EvmDelegationPreview = {
  /** The account that delegates, in EIP-55 form. */
  owner: string;
  chainId: number;
  /** The network's name at the service. */
  network: string;
  /** The currency's name at the service. */
  currency: string;
  /** The token's contract. */
  token: string;
  decimals: number;
  /** The address that may spend. */
  spender: string;
  /** The limit, in units of the currency. */
  amount: string;
  /** The limit in base units, as text: what the chain gets, unless it is unlimited. */
  baseUnits: string;
  /** Whether the approval on the chain has no limit. */
  isUnlimited: boolean;
  /** The limit as the service gets it. */
  wireAmount: string;
  /** The limit on the chain now, in units of the currency. */
  oldLimit: string;
  /** The same in base units. */
  oldLimitBaseUnits: string;
  /** How many transactions the wallet is asked to send: 2 if the old limit must be zero first. */
  transactions: 1 | 2;
  /** Whether the old limit is set to zero first. */
  resetsFirst: boolean;
  /** The approximate cost of the transactions, in wei. */
  estimatedFee: string | undefined;
  /** The native coins of the wallet, in wei. */
  nativeBalance: string | undefined;
  /** Whether the wallet cannot pay the estimated fee, so that the faucet is needed. */
  needsFaucet: boolean | undefined;
  /** The tokens of the wallet, in units of the currency. */
  tokenBalance: string | undefined;
  /** What would make the delegation fail, or surprise the user; the worst first. */
  problems: EvmPreviewProblem[];
};
