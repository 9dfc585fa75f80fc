import { hexToBytes } from '@noble/hashes/utils.js';
import { encodeBase58, isSolanaSignature } from '../../contract/formats/base58.js';
import type { SavedStateRules } from '../../delegation/saved-state.js';
import type { DelegationState } from '../../delegation/state.js';
import { firstSignature, SIGNATURE_SIZE } from '../transaction.js';

/** The largest transaction that the network takes, in bytes. */
const LARGEST_TRANSACTION = 1_232;
const BASE_UNITS = /^(?:0|[1-9]\d{0,19})$/;
const NUMBER = /^(?:0|[1-9]\d{0,15})$/;
/** A transaction signature of any length. The service takes only some of them. */
const ANY_SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;
/** The note for a token account without any transaction. */
export const NO_TRANSACTION = 'none';
const HEX = /^(?:[0-9a-f]{2})+$/;

const isNumber = (text: string) => NUMBER.test(text);

/** Whether a text can be saved as the newest transaction of the token account. */
export function isNewestNote(text: unknown): boolean {
  return text === NO_TRANSACTION || (typeof text === 'string' && ANY_SIGNATURE.test(text));
}

/** Whether bytes can be a signed transaction, which the network takes and a saved state can hold. */
export function isTransactionSize({ length }: Uint8Array): boolean {
  return length > 1 + SIGNATURE_SIZE && length <= LARGEST_TRANSACTION;
}

function isTransaction(text: string): boolean {
  return HEX.test(text) && isTransactionSize(hexToBytes(text));
}

/** The signed transaction is the one whose signature is noted, and that is the approval's. */
function conflictingNote({ notes, approval }: DelegationState): string | undefined {
  const { signature, transaction } = notes;
  if (transaction !== undefined) {
    const first = firstSignature(hexToBytes(transaction));
    if (encodeBase58(first) !== signature) return 'transaction';
  }
  const sent = approval?.transactionId;
  const isOther = signature !== undefined && sent !== undefined && signature !== sent;
  return isOther ? 'signature' : undefined;
}

/** What a saved state of a Solana delegation can hold. */
export const SOLANA_SAVED_STATE: SavedStateRules = {
  kind: 'solana',
  isTransactionId: isSolanaSignature,
  isSignature: isSolanaSignature,
  notes: {
    /** Signature of an approval that was on the chain before this flow, whose proof is submitted. */
    adopted: isSolanaSignature,
    /** Signature of such an approval that could not be used. Another one is not looked for. */
    refused: isSolanaSignature,
    /** Whether the wallet that sends has answered, so that no prompt of it is open. */
    answered: (text) => text === 'yes',
    /** What the wallet approved in place of the requested amount, in base units. */
    approved: (text) => BASE_UNITS.test(text),
    /** The height of the last block that can contain the transaction. */
    lastValidBlockHeight: isNumber,
    /** The newest transaction of the token account before the wallet was asked. */
    newestBefore: isNewestNote,
    /** Who sends the transaction. */
    sentBy: (text) => text === 'flow' || text === 'wallet',
    /** Signature of the transaction. */
    signature: isSolanaSignature,
    /** The signed transaction in hex, so that it can be sent again. */
    transaction: isTransaction,
  },
  conflictingNote,
};
