import type { SolanaCommitment } from '../connection.js';

/** A request of @solana/kit that `send()` starts. */
export type KitCall<Result> = {
  /** Sends the request. */
  send(): Promise<Result>;
};

/** An account as the RPC of @solana/kit returns it. */
export type KitAccount = {
  readonly data: readonly [base64: string, encoding: 'base64'];
  readonly executable: boolean;
  readonly lamports: bigint;
  readonly owner: string;
};

/** The part of the RPC of @solana/kit that is used. The result of `createSolanaRpc` has it. */
export type KitRpc = {
  /** Reads an account. */
  getAccountInfo(
    address: string,
    config: { commitment?: SolanaCommitment; encoding: 'base64' },
  ): KitCall<{ readonly value: KitAccount | null }>;
  /** Reads several accounts at once. */
  getMultipleAccounts(
    addresses: readonly string[],
    config: { commitment?: SolanaCommitment; encoding: 'base64' },
  ): KitCall<{ readonly value: readonly (KitAccount | null)[] }>;
  /** Reads a blockhash for the next transaction. */
  getLatestBlockhash(config: { commitment?: SolanaCommitment }): KitCall<{
    readonly value: { readonly blockhash: string; readonly lastValidBlockHeight: bigint };
  }>;
  /** Reads the block height. */
  getBlockHeight(config: { commitment?: SolanaCommitment }): KitCall<bigint>;
  /** Reads slot and block height together. */
  getEpochInfo(config: {
    commitment?: SolanaCommitment;
  }): KitCall<{ readonly absoluteSlot: bigint; readonly blockHeight: bigint }>;
  /** Sends a signed transaction, in base64. */
  sendTransaction(
    transaction: string,
    config: { encoding: 'base64'; maxRetries?: bigint; preflightCommitment?: SolanaCommitment },
  ): KitCall<string>;
  /** Runs a transaction without sending it. */
  simulateTransaction(
    transaction: string,
    config: {
      commitment?: SolanaCommitment;
      encoding: 'base64';
      replaceRecentBlockhash: true;
      sigVerify: false;
    },
  ): KitCall<{
    readonly value: { readonly err: unknown; readonly logs: readonly string[] | null };
  }>;
  /** Reads the status of transactions. */
  getSignatureStatuses(
    signatures: readonly string[],
    config: { searchTransactionHistory: boolean },
  ): KitCall<{
    readonly context: { readonly slot: bigint };
    readonly value: readonly ({
      readonly err: unknown;
      readonly confirmationStatus: SolanaCommitment | null;
    } | null)[];
  }>;
  /** Returns a `KitExecutedTransaction`; the type of @solana/kit depends on the configuration. */
  getTransaction(
    signature: string,
    config: {
      commitment: 'confirmed' | 'finalized';
      encoding: 'json';
      maxSupportedTransactionVersion: 0;
    },
  ): KitCall<unknown>;
  /** Lists the transactions of an address, newest first. */
  getSignaturesForAddress(
    address: string,
    config: { commitment: 'confirmed' | 'finalized'; limit: number; minContextSlot?: bigint },
  ): KitCall<readonly { readonly signature: string; readonly err: unknown }[]>;
};

/** An executed transaction in the encoding `json`. */
export type KitExecutedTransaction = {
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly instructions: readonly {
        readonly programIdIndex: number;
        readonly accounts: readonly number[];
        readonly data: string;
      }[];
    };
  };
  readonly meta: {
    readonly loadedAddresses?:
      | { readonly writable: readonly string[]; readonly readonly: readonly string[] }
      | undefined;
  } | null;
};
