import bs58 from 'bs58';

/** Longest text that is worth decoding: decoding base58 takes quadratic time. */
const LONGEST = 128;

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
  return text.length > LONGEST ? undefined : bs58.decodeUnsafe(text);
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
  return bs58.encode(bytes);
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
