import { encodeMint, encodeTokenAccount } from './accounts.js';
import type {
  MockExecutedTransaction,
  MockSignatureStatus,
  MockSolanaAccount,
  MockSolanaAddress,
  MockSolanaCommitment,
} from './connection.js';
import { FINAL_AFTER, feeOf, type SolanaLedger, type SolanaTransaction } from './ledger.js';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from './programs.js';

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

/** Lists the transactions that name an account, newest first. */
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
