import type { DelegationClient } from './client.js';
import type { ProgressListener } from './progress.js';
import type { DelegationRuntime } from './runtime.js';
import type { DelegationState, Registration } from './state.js';

/** The options that all delegations share. */
export type DelegationOptions = {
  /** The client of the user who delegates, or an object with the same methods. */
  client: DelegationClient;
  /**
   * Ask the service's faucet for the network fee, along with the token. Each user can use it once
   * across all networks. Default: if the wallet has too few coins for the fee, on a network of the
   * contract's list (linea, solana and base), unless `checkFunds` is `false`. `true`: also
   * if the coins cannot be read, and on the networks of `additions.faucetNetworks`. `false`: never.
   */
  faucet?: boolean | undefined;
  /**
   * End with `insufficient_funds`, before the wallet is asked for anything, if it cannot pay the
   * network fee and the faucet does not help. `false` asks it anyway, for a wallet whose fee somebody
   * else pays. Default `true`.
   */
  checkFunds?: boolean | undefined;
  /**
   * How long to wait for coins that the faucet has promised before the wallet is asked to approve,
   * in whole milliseconds above zero. After that the flow continues without them. Default 60,000.
   */
  faucetTimeout?: number | undefined;
  /**
   * Accept the response "already approved" even if the service does not report the wallet's limit.
   * The limit may then be an earlier one. Default `false`: `LimitNotUpdatedError`.
   */
  acceptUnknownLimit?: boolean | undefined;
  /** Called for every step, with a message that a user interface can show. */
  onProgress?: ProgressListener | undefined;
  /** Aborts the flow, which rejects with the signal's reason. A sent approval stays sent. */
  signal?: AbortSignal | undefined;
  /**
   * A state of an earlier run, parsed from JSON if you stored it as text. It is checked like any
   * input, each field once: a state of another delegation, or one that was changed, ends the flow
   * with `StateMismatchError` before the wallet or the network is used.
   */
  resume?: DelegationState | undefined;
  /**
   * Ask for the approval again although an earlier request had no response and cannot be found on
   * the chain. Set this only if the user has checked that nothing was sent. On an EVM chain, this
   * also skips the wait for a sent transaction that the node no longer knows. Default `false`.
   */
  approveAgain?: boolean | undefined;
  /**
   * US routing of token, proof, chain configuration and list of registered wallets. Default: the
   * client's own.
   */
  region?: 'us' | undefined;
  /** Clock and timers. Default: the real ones. */
  runtime?: DelegationRuntime | undefined;
  /** Time limit for one read from a node, in whole milliseconds above zero. Default 15,000. */
  readTimeout?: number | undefined;
  /**
   * Time limit for each prompt of the wallet, in whole milliseconds above zero: a wallet whose
   * session has died never responds. The flow then ends with `prompt_timeout`. There is no default,
   * because a user may take minutes. If the wallet sends the approval later, `onProgress` still
   * gets a state with its transaction; without that, a resumed flow searches the chain before it
   * asks again.
   */
  promptTimeout?: number | undefined;
};

/** The result of a completed delegation. */
export type DelegationResult = {
  /** How the flow knows that the service registered the wallet. */
  registration: Registration;
  /** The wallet. */
  address: string;
  /** The network's name at the service. */
  network: string;
  /** The currency's name at the service. */
  currency: string;
  /** The amount that was sent to the service. */
  amount: string;
  /**
   * The limit that the service's list of wallets showed, as it spells it. `undefined` if the flow
   * did not need to look, or found none.
   */
  registeredAmount?: string | undefined;
  /**
   * The confirmed approval. `undefined` if chain and service already had exactly this limit: then
   * the wallet was not asked.
   */
  transactionId: string | undefined;
  /** The final state. Resuming it asks the service and the chain whether it is still true. */
  state: DelegationState;
};

/** The result of a revocation: the limit on the chain is zero. */
export type RevocationResult = Omit<DelegationResult, 'registration' | 'transactionId'> & {
  /** The confirmed approval of zero, or the transaction that removed the delegate. */
  transactionId: string;
  /**
   * How the flow knows that the service registered it; `not-submitted` if no proof was submitted.
   */
  registration: Registration | 'not-submitted';
};
