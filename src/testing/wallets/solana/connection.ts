/** An address in the form of @solana/web3.js. */
export type MockSolanaAddress = {
  /** Returns the address in base58. */
  toBase58(): string;
};

/** How certain the cluster is. A block is final 32 blocks later. */
export type MockSolanaCommitment = 'processed' | 'confirmed' | 'finalized';

/** An account of the tiny Solana chain. */
export type MockSolanaAccount = {
  /** Its bytes. */
  data: Uint8Array;
  /** The program that it belongs to. */
  owner: MockSolanaAddress;
  /** Always `false`: the chain has no programs. */
  executable: boolean;
  /** How many lamports it holds. */
  lamports: number;
};

/** An executed transaction, as a connection returns it. */
export type MockExecutedTransaction = {
  /** The slot of its block. */
  slot: number;
  /** When the block was made, in seconds since 1970. */
  blockTime: number;
  /** The signed message, and the signatures. */
  transaction: {
    message: {
      staticAccountKeys: MockSolanaAddress[];
      compiledInstructions: readonly {
        programIdIndex: number;
        accountKeyIndexes: readonly number[];
        data: Uint8Array;
      }[];
      recentBlockhash: string;
    };
    signatures: string[];
  };
  /** Its effects. The fee is in lamports. */
  meta: {
    err: unknown;
    fee: number;
    loadedAddresses: { writable: MockSolanaAddress[]; readonly: MockSolanaAddress[] };
  };
};

/** The known status of a transaction. */
export type MockSignatureStatus = {
  /** The slot of its block. */
  slot: number;
  /** Why it failed, or `null`. */
  err: unknown;
  /** `null` once the block is final. */
  confirmations: number | null;
  /** How certain the cluster is. */
  confirmationStatus: MockSolanaCommitment;
};

/** The methods of a `Connection` of @solana/web3.js that `delegateSolana` uses. */
export type MockSolanaConnection = {
  /** Returns an account, or `null`. */
  getAccountInfo(
    address: MockSolanaAddress,
    commitment?: MockSolanaCommitment,
  ): Promise<MockSolanaAccount | null>;
  /** Returns several accounts. */
  getMultipleAccountsInfo(
    addresses: MockSolanaAddress[],
    commitment?: MockSolanaCommitment,
  ): Promise<(MockSolanaAccount | null)[]>;
  /** Returns a recent blockhash, and the last block that accepts a transaction with it. */
  getLatestBlockhash(
    commitment?: MockSolanaCommitment,
  ): Promise<{ blockhash: string; lastValidBlockHeight: number }>;
  /** Returns the number of the newest block. */
  getBlockHeight(commitment?: MockSolanaCommitment): Promise<number>;
  /** Returns the number and the slot of the newest block. */
  getEpochInfo(
    commitment?: MockSolanaCommitment,
  ): Promise<{ absoluteSlot: number; blockHeight: number }>;
  /** Takes a signed transaction in the wire format. Returns its signature. */
  sendRawTransaction(transaction: Uint8Array): Promise<string>;
  /** Executes a transaction without sending it. */
  simulateTransaction(transaction: {
    serialize(): Uint8Array;
  }): Promise<{ value: { err: unknown; logs: string[] } }>;
  /** Returns the known status of each transaction. */
  getSignatureStatuses(
    signatures: string[],
  ): Promise<{ context: { slot: number }; value: (MockSignatureStatus | null)[] }>;
  /** Returns the effects of a transaction, or `null`. */
  getTransaction(
    signature: string,
    config?: { commitment?: MockSolanaCommitment },
  ): Promise<MockExecutedTransaction | null>;
  /** Returns the transactions that name an account, newest first. */
  getSignaturesForAddress(
    address: MockSolanaAddress,
    options?: { limit?: number },
  ): Promise<{ signature: string; slot: number; err: unknown }[]>;
};
