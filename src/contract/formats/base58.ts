const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

// Base58 takes quadratic time, so the length is bounded. A signature, the longest value that Solana
// writes this way, has 64 bytes in at most 88 characters.
const MAX_CHARACTERS = 128;
/** As many bytes as always fit into that many characters. */
export const MAX_BYTES = 93;

// Our own, because the package bs58 builds its tables when it is loaded: a bundler then keeps them
// in every page that loads the file.
function convert(digits: Iterable<number>, from: number, to: number): number[] {
  const converted: number[] = [];
  for (const digit of digits) {
    let carry = digit;
    for (let i = 0; i < converted.length; i++) {
      carry += Number(converted[i]) * from;
      converted[i] = carry % to;
      carry = Math.floor(carry / to);
    }
    for (; carry > 0; carry = Math.floor(carry / to)) converted.push(carry % to);
  }
  return converted.reverse();
}

/** The zeros at the start, which a number does not keep. */
function leadingZeros(digits: Iterable<number>): number[] {
  const zeros: number[] = [];
  for (const digit of digits) {
    if (digit !== 0) break;
    zeros.push(0);
  }
  return zeros;
}

/** Decodes base58 (Bitcoin alphabet). Returns `undefined` for other text or over 128 characters. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const digits = Array.from(text, (character) => ALPHABET.indexOf(character));
  if (digits.includes(-1)) return undefined;
  return Uint8Array.from([...leadingZeros(digits), ...convert(digits, 58, 256)]);
}

/** Encodes bytes as base58. Throws a RangeError for more than `MAX_BYTES`. */
export function encodeBase58(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) throw new RangeError(`base58 takes at most ${MAX_BYTES} bytes`);
  const digits = [...leadingZeros(bytes), ...convert(bytes, 256, 58)];
  return digits.map((digit) => ALPHABET.charAt(digit)).join('');
}

/**
 * Whether a value is a Solana address: base58 of exactly 32 bytes.
 *
 * @example
 * ```ts
 * import { isSolanaAddress } from 'card-platform-sdk';
 *
 * isSolanaAddress('So11111111111111111111111111111111111111112'); // true
 * ```
 */
export function isSolanaAddress(text: unknown): boolean {
  return typeof text === 'string' && decodeBase58(text)?.length === 32;
}

/**
 * Whether a value is a Solana signature as the service takes it: 87 or 88 characters, 64 bytes.
 *
 * @example
 * ```ts
 * import { isSolanaSignature } from 'card-platform-sdk';
 *
 * isSolanaSignature('not a signature'); // false
 * ```
 */
export function isSolanaSignature(text: unknown): boolean {
  return (
    typeof text === 'string' &&
    (text.length === 87 || text.length === 88) &&
    decodeBase58(text)?.length === 64
  );
}
