import type { TokenAccountProblem } from './flow/errors.js';

/** A problem that would make a delegation fail, or surprise the user. */
export type SolanaPreviewProblem = {
  /**
   * `token-account-unusable`: see `reason`. `delegate-in-use`: the approval would replace another
   * delegate, and `replaceSpender` is not set. `no-gas`: the wallet cannot pay the fee.
   * `approval-refused`: the node tried the approval, and it failed for another reason.
   * `balance-below-amount`: the wallet has fewer tokens than the limit, which can still be set.
   */
  readonly code:
    | 'token-account-unusable'
    | 'delegate-in-use'
    | 'no-gas'
    | 'approval-refused'
    | 'balance-below-amount';
  /** Whether the delegation would fail. */
  readonly isBlocking: boolean;
  /** An English sentence. Translate by `code` and `reason`. */
  readonly message: string;
  /** With the code `token-account-unusable`: what is wrong. */
  readonly reason?: TokenAccountProblem;
};

/** The effects that a delegation would have, as data that survives `JSON.stringify`. */
export type SolanaDelegationPreview = {
  /** The network's name at the service. */
  readonly network: string;
  /** The currency's name at the service. */
  readonly currency: string;
  /** The wallet. */
  readonly owner: string;
  /** The token. */
  readonly mint: string;
  /** Its decimals. */
  readonly decimals: number;
  /** The program that the mint belongs to. */
  readonly programAddress: string;
  /** The token account that the delegate may spend from. */
  readonly tokenAccount: string;
  /** Whether the token account exists. Without one, nothing can be approved. */
  readonly hasTokenAccount: boolean;
  /** The key that may spend. */
  readonly spender: string;
  /** The new limit in units of the currency. */
  readonly amount: string;
  /** The delegate that may spend now; `null` if there is none. */
  readonly oldSpender: string | null;
  /** How much the current delegate may spend, in units of the currency. The new limit replaces it. */
  readonly oldLimit: string;
  /** The balance of the token account, in units of the currency. */
  readonly tokenBalance: string;
  /** The network fee with its priority fee in lamports. A wallet may change the priority fee. */
  readonly estimatedFee: string;
  /** The wallet's lamports; `undefined` if the connection does not report them. */
  readonly nativeBalance: string | undefined;
  /**
   * Whether the wallet cannot pay the fee, so that the service's faucet or a transfer is needed first.
   * A wallet must keep 890,880 lamports, or nothing. `undefined` if the balance is unknown.
   */
  readonly needsFaucet: boolean | undefined;
  /** Whether the approval was tried on the node, and how that ended. */
  readonly dryRun: 'passed' | 'failed' | 'not-run';
  /** The problems that would make the delegation fail, or surprise the user; the worst first. */
  readonly problems: readonly SolanaPreviewProblem[];
};
