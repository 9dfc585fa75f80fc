import { encodeMint, encodeTokenAccount, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './accounts.js';
import { FINAL_AFTER, feeOf, type SolanaLedger, type SolanaTransaction } from './ledger.js';

/** An address in the form of @solana/web3.js. */
export type MockSolanaAddress = {
  /** Returns the address in base58. */
  toBase58(): string;
};

/** How certain the cluster is of a transaction. A block is final 32 blocks later. */
export type MockSolanaCommitment = 'processed' | 'confirmed' | 'finalized';

/** An account of the tiny Solana chain. */
export type MockSolanaAccount = {
  /** Its bytes. */
  data: Uint8Array;
  /** The program that it belongs to. */
  owner: MockSolanaAddress;
  /** Always `false`: the chain has no programs. */
  executable: boolean;
  /** Its balance in lamports. */
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
  /** Sends a signed transaction in the wire format. Returns its signature. */
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
  /** Returns the transactions that involve an account, newest first. */
  getSignaturesForAddress(
    address: MockSolanaAddress,
    options?: { limit?: number },
  ): Promise<{ signature: string; slot: number; err: unknown }[]>;
};

const RENT = 2_039_280;

const addressOf = (text: string): MockSolanaAddress => ({ toBase58: () => text });

function accountOf(data: Uint8Array, owner: string, lamports: number): MockSolanaAccount {
  return { data, owner: addressOf(owner), executable: false, lamports };
}

/** The newest block that the node knows. */
export function knownBlock({ blocks }: SolanaLedger, commitment?: MockSolanaCommitment): number {
  return commitment === 'finalized' ? blocks.known - FINAL_AFTER : blocks.known;
}

function findKnown(ledger: SolanaLedger, signature: string): SolanaTransaction | undefined {
  const known = knownBlock(ledger);
  return ledger.executed.find((one) => one.signature === signature && (one.slot ?? 0) <= known);
}

/** Reads the account of a mint, of a wallet's tokens, or of a wallet. */
export function readAccount(
  ledger: SolanaLedger,
  address: string,
  commitment?: MockSolanaCommitment,
): MockSolanaAccount | null {
  const decimals = ledger.decimalsOf(address);
  if (decimals !== undefined) return accountOf(encodeMint(decimals), TOKEN_PROGRAM, RENT);
  const state = ledger.tokenAccount(address, knownBlock(ledger, commitment));
  if (state !== undefined) return accountOf(encodeTokenAccount(state), TOKEN_PROGRAM, RENT);
  const lamports = ledger.lamportsOf(address);
  return lamports === 0n ? null : accountOf(new Uint8Array(), SYSTEM_PROGRAM, Number(lamports));
}

/** Reads how certain a transaction is. */
export function readStatus(ledger: SolanaLedger, signature: string): MockSignatureStatus | null {
  const found = findKnown(ledger, signature);
  if (found === undefined) return null;
  const { slot = 0, err = null } = found;
  const isFinal = slot <= knownBlock(ledger, 'finalized');
  const confirmationStatus = isFinal ? 'finalized' : 'confirmed';
  return { slot, err, confirmations: isFinal ? null : 1, confirmationStatus };
}

/** Reads what a transaction did. */
export function readTransaction(
  ledger: SolanaLedger,
  signature: string,
  commitment?: MockSolanaCommitment,
): MockExecutedTransaction | null {
  const found = findKnown(ledger, signature);
  const { slot = 0, err = null } = found ?? {};
  if (found === undefined || slot > knownBlock(ledger, commitment)) return null;
  const { accounts, instructions, blockhash } = found.parsed;
  const message = {
    staticAccountKeys: accounts.map(addressOf),
    compiledInstructions: instructions,
    recentBlockhash: blockhash,
  };
  return {
    slot,
    blockTime: ledger.blocks.timeOf(slot),
    transaction: { message, signatures: [signature] },
    meta: {
      err,
      fee: Number(feeOf(found.parsed)),
      loadedAddresses: { writable: [], readonly: [] },
    },
  };
}

/** Lists the transactions that involve an account, newest first. */
export function listSignatures(
  ledger: SolanaLedger,
  address: string,
  limit?: number,
): { signature: string; slot: number; err: unknown }[] {
  const known = knownBlock(ledger);
  return ledger.executed
    .filter(({ parsed, slot = 0 }) => slot <= known && parsed.accounts.includes(address))
    .map(({ signature, slot = 0, err = null }) => ({ signature, slot, err }))
    .reverse()
    .slice(0, limit);
}
