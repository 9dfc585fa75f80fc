const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Longest text that is worth decoding: decoding base58 takes quadratic time. */
const LONGEST = 128;

// Our own, because the package bs58 builds its tables when it is loaded: a bundler then keeps it in
// every page that loads a file it stands in.
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

/**
 * Decodes base58 (Bitcoin alphabet). Gives `undefined` for anything that is not base58.
 *
 * @example
 * ```ts
 * import { decodeBase58 } from 'card-platform-sdk';
 *
 * decodeBase58('So11111111111111111111111111111111111111112')?.length; // 32
 * decodeBase58('0OIl'); // undefined: base58 has none of these
 * ```
 */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (text.length > LONGEST) return undefined;
  const digits = Array.from(text, (character) => ALPHABET.indexOf(character));
  if (digits.includes(-1)) return undefined;
  return Uint8Array.from([...leadingZeros(digits), ...convert(digits, 58, 256)]);
}

/**
 * Encodes bytes as base58 (Bitcoin alphabet).
 *
 * @example
 * ```ts
 * import { encodeBase58 } from 'card-platform-sdk';
 *
 * encodeBase58(new Uint8Array(32)); // '11111111111111111111111111111111'
 * ```
 */
export function encodeBase58(bytes: Uint8Array): string {
  const digits = [...leadingZeros(bytes), ...convert(bytes, 256, 58)];
  return digits.map((digit) => ALPHABET.charAt(digit)).join('');
}

/**
 * Whether a text is a Solana address: base58 of exactly 32 bytes.
 *
 * @example
 * ```ts
 * import { isSolanaAddress } from 'card-platform-sdk';
 *
 * isSolanaAddress('So11111111111111111111111111111111111111112'); // true
 * ```
 */
export function isSolanaAddress(text: string): boolean {
  return decodeBase58(text)?.length === 32;
}

/**
 * Whether a text is a Solana signature as the service takes it: 87 or 88 characters, 64 bytes.
 *
 * @example
 * ```ts
 * import { isSolanaSignature } from 'card-platform-sdk';
 *
 * isSolanaSignature('not a signature'); // false
 * ```
 */
export function isSolanaSignature(text: string): boolean {
  return (text.length === 87 || text.length === 88) && decodeBase58(text)?.length === 64;
}
