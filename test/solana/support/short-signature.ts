import { createHash } from 'node:crypto';

/** The order of the curve's group. */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
/** A scalar whose point begins with two zero bytes, found by trying a million scalars. */
const SCALAR = 1_189_492n;
const POINT = Buffer.from(
  '000004dd594e4f928c4aa2a0246242c6a377460ef03959a791b3069f763cef15',
  'hex',
);

/**
 * Returns a valid ed25519 signature of 86 characters in base58, as one in 23,000 has. It
 * uses a chosen scalar where RFC 8032 uses a hash.
 */
export function shortSignature(secretKey: Uint8Array, message: Uint8Array): Uint8Array {
  const half = sha512(secretKey.subarray(0, 32)).subarray(0, 32);
  half[0] = (half[0] ?? 0) & 248;
  half[31] = ((half[31] ?? 0) & 127) | 64;
  const hash = numberOf(sha512(POINT, secretKey.subarray(32), message));
  const s = (SCALAR + hash * numberOf(half)) % ORDER;
  const bytes = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return Uint8Array.from([...POINT, ...bytes]);
}

function sha512(...parts: Uint8Array[]): Buffer {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function numberOf(littleEndian: Buffer): bigint {
  return BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`);
}
