import { encodeBase58 } from '../../contract/formats/base58.js';
import { SIGNATURE_SIZE, signedMessage } from '../wire-format.js';
import type { KitSignatures, KitTransaction } from './signers.js';

const ADDRESS_SIZE = 32;
const HEADER_SIZE = 3;
const VERSIONED = 0x80;
/** A lifetime of unknown end, as @solana/kit itself writes it. */
const UNKNOWN_END = 2n ** 64n - 1n;

/** The lifetime that a transaction of @solana/kit carries for its signers. */
type Lifetime = { readonly blockhash: string; readonly lastValidBlockHeight: bigint };

/** Converts an unsigned legacy transaction from the wire format. */
export function decodeTransaction(
  wire: Uint8Array,
): KitTransaction & { readonly lifetimeConstraint: Lifetime } {
  // A copy, because a signer may change it.
  const messageBytes = signedMessage(wire).slice();
  const { signers, end } = accountsOf(messageBytes);
  return {
    messageBytes,
    signatures: Object.fromEntries(signers.map((address) => [address, null])),
    lifetimeConstraint: {
      blockhash: encodeBase58(messageBytes.subarray(end, end + ADDRESS_SIZE)),
      lastValidBlockHeight: UNKNOWN_END,
    },
  };
}

/** Converts a signed transaction to the wire format, with zeros in place of a missing signature. */
export function encodeSignedTransaction({ messageBytes, signatures }: KitTransaction): Uint8Array {
  const message = Uint8Array.from(messageBytes);
  const { signers } = accountsOf(message);
  const noSignature = new Uint8Array(SIGNATURE_SIZE);
  const places = signers.flatMap((signer) => Array.from(signatures[signer] ?? noSignature));
  return Uint8Array.from([signers.length, ...places, ...message]);
}

/** Adds the signatures of a partial signer. */
export function withSignatures(
  { messageBytes, signatures }: KitTransaction,
  added: KitSignatures,
): KitTransaction {
  return { messageBytes, signatures: { ...signatures, ...added } };
}

/** The signers of a message in the order of their signatures, and where its accounts end. */
function accountsOf(message: Uint8Array): { signers: string[]; end: number } {
  const first = message[0] ?? 0;
  if (first > VERSIONED) throw new Error('the wallet returned a transaction of an unknown version');
  const start = first === VERSIONED ? 1 : 0;
  const signerCount = message[start] ?? 0;
  // Two bytes if the number of accounts needs more than seven bits.
  const [low = 0, high = 0] = message.subarray(start + HEADER_SIZE);
  const isLong = low >= VERSIONED;
  const count = isLong ? (low % VERSIONED) + high * VERSIONED : low;
  const from = start + HEADER_SIZE + (isLong ? 2 : 1);
  const addressAt = (_: unknown, index: number) => {
    const at = from + index * ADDRESS_SIZE;
    return encodeBase58(message.subarray(at, at + ADDRESS_SIZE));
  };
  const signers = Array.from({ length: signerCount }, addressAt);
  return { signers, end: from + count * ADDRESS_SIZE };
}
