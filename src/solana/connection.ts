import { invalid } from '../delegation/check-values.js';

/** How certain the cluster must be of its response. */
export type SolanaCommitment = 'processed' | 'confirmed' | 'finalized';

/** An address in the form that a connection uses. */
export type AddressObject = {
  /** The address as base58. */
  toBase58(): string;
};

/** An account as a connection returns it. */
export type SolanaAccountInfo = {
  /** Its bytes. */
  data: Uint8Array;
  /** The program it belongs to. */
  owner: AddressObject;
  /** Whether it is a program. */
  executable?: boolean | undefined;
  /** Its balance in lamports. Needed to find out whether the wallet can pay the network fee. */
  lamports?: number | bigint | undefined;
};

/** The known status of a transaction. */
export type SolanaSignatureStatus = {
  /** Why it failed; `null` when it did not. */
  err: unknown;
  /** How far the cluster has agreed on it. */
  confirmationStatus?: SolanaCommitment | undefined;
};

/** A transaction that the chain has executed. */
export type ExecutedTransaction = {
  transaction: {
    message: {
      staticAccountKeys: readonly AddressObject[];
      compiledInstructions: readonly {
        programIdIndex: number;
        accountKeyIndexes: readonly number[];
        data: Uint8Array;
      }[];
    };
  };
  /**
   * Its effects. `err` says why it failed, if it did. A versioned transaction can refer to accounts
   * through lookup tables.
   */
  meta?:
    | {
        err?: unknown;
        loadedAddresses?:
          | { writable: readonly AddressObject[]; readonly: readonly AddressObject[] }
          | undefined;
      }
    | null
    | undefined;
};

/** A transaction in the form that `simulateTransaction` accepts: its bytes. */
export type SimulatedTransaction = {
  /** Only marks the object as a transaction. */
  readonly message: object;
  /** The transaction in the wire format. Its signatures may be zeros. */
  serialize(): Uint8Array;
};

/** The part of a connection that reads the chain: one method. */
export type SolanaReader = {
  /** Returns an account's bytes and program; `null` if there is no such account. */
  getAccountInfo(
    address: AddressObject,
    commitment?: SolanaCommitment,
  ): Promise<SolanaAccountInfo | null>;
};

/**
 * The part of a connection to the chain that the flow uses. Pass the `Connection` of
 * @solana/web3.js 1.x, or any object with these methods.
 */
export type SolanaConnection = SolanaReader & {
  /** A recent blockhash, and the height of the last block that can contain a transaction with it. */
  getLatestBlockhash(
    commitment?: SolanaCommitment,
  ): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** The height of the newest block. */
  getBlockHeight(commitment?: SolanaCommitment): Promise<number>;
  /** Sends a signed transaction in the wire format; returns its signature as base58. */
  sendRawTransaction(
    transaction: Uint8Array,
    options?: { maxRetries?: number; preflightCommitment?: SolanaCommitment },
  ): Promise<string>;
  /** Returns the known status of each transaction; `null` for one that was never seen. */
  getSignatureStatuses(
    signatures: string[],
    config: { searchTransactionHistory: boolean },
  ): Promise<{
    /** The slot that the node had reached. */
    context?: { slot: number } | undefined;
    value: (SolanaSignatureStatus | null)[];
  }>;
  /** Returns the effects of a transaction; `null` if it is not on the chain. */
  getTransaction(
    signature: string,
    config: { commitment: 'confirmed' | 'finalized'; maxSupportedTransactionVersion: number },
  ): Promise<ExecutedTransaction | null>;
  /**
   * Lists the transactions of an address, newest first. Optional: with it, the flow finds an approval
   * whose signature was lost with a closed tab.
   */
  getSignaturesForAddress?(
    address: AddressObject,
    options: { limit: number; minContextSlot?: number },
    commitment: 'confirmed' | 'finalized',
  ): Promise<{ signature: string; err: unknown }[]>;
  /** Reads several accounts with one request. Optional: without it, each is read separately. */
  getMultipleAccountsInfo?(
    addresses: AddressObject[],
    commitment?: SolanaCommitment,
  ): Promise<(SolanaAccountInfo | null)[]>;
  /**
   * The height and slot of the newest block. Optional: it shows whether a node that does not know a
   * transaction has seen every block that could contain it.
   */
  getEpochInfo?(
    commitment?: SolanaCommitment,
  ): Promise<{ absoluteSlot: number; blockHeight?: number | undefined }>;
  /** Executes a transaction without sending it. Optional: a preview tries the approval with it. */
  simulateTransaction?(
    transaction: SimulatedTransaction,
    config: { commitment?: SolanaCommitment; replaceRecentBlockhash: true; sigVerify: false },
  ): Promise<{ value: { err: unknown; logs: string[] | null } }>;
};

/** An address in the form that a connection takes. */
export function addressObject(address: string): AddressObject {
  return { toBase58: () => address };
}

/** The commitments that a read may have. */
export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
/** Those that a flow may have: a fork can undo what is only processed. */
export const LASTING_COMMITMENTS = ['confirmed', 'finalized'] as const;

/**
 * Checks the option `commitment`.
 *
 * @throws RequestValidationError
 */
export function requireCommitment<Allowed extends SolanaCommitment>(
  allowed: readonly Allowed[],
  given: Allowed | 'confirmed' = 'confirmed',
): Allowed | 'confirmed' {
  const isAllowed = given === 'confirmed' || allowed.includes(given);
  return isAllowed ? given : invalid('commitment', `must be one of ${allowed.join(', ')}`);
}
