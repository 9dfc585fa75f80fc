import type { TokenAccountInput } from './approval.js';
import type { SolanaCommitment, SolanaReader } from './connection.js';
import type { TokenAccount } from './token-account.js';

/** The token account to read, and the connection to read it from. */
export type ReadDelegationInput = TokenAccountInput & {
  /** A connection to the chain: a `Connection` of @solana/web3.js 1.x, or any with this method. */
  node: SolanaReader;
  /** How certain the cluster must be. Default `confirmed`. */
  commitment?: SolanaCommitment | undefined;
};

/** A token account with its address: who may spend from it, and how much. */
export type SolanaDelegation = TokenAccount & {
  /** The token account. */
  tokenAccount: string;
};
