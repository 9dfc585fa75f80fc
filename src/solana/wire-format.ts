/** The bytes of an ed25519 signature. */
export const SIGNATURE_SIZE = 64;

/** The first signature of a transaction in the wire format: the fee payer's. */
export function firstSignature(transaction: Uint8Array): Uint8Array {
  return transaction.subarray(1, 1 + SIGNATURE_SIZE);
}

/** The part of a transaction in the wire format that is signed. */
export function signedMessage(transaction: Uint8Array): Uint8Array {
  return transaction.subarray(1 + SIGNATURE_SIZE * (transaction[0] ?? 0));
}
