import bs58 from 'bs58';

// Base58 takes quadratic time, so the length is bounded. A signature, the longest value that Solana
// writes this way, has 64 bytes in at most 88 characters.
const MAX_CHARACTERS = 128;
/** As many bytes as always fit into that many characters. */
export const MAX_BYTES = 93;

/** Decodes base58 (Bitcoin alphabet). Returns `undefined` for other text or over 128 characters. */
export function decodeBase58(text: string): Uint8Array | undefined {
  return text.length > MAX_CHARACTERS ? undefined : bs58.decodeUnsafe(text);
}

/** Encodes bytes as base58. Throws a RangeError for more than `MAX_BYTES`. */
export function encodeBase58(bytes: Uint8Array): string {
  if (bytes.length > MAX_BYTES) throw new RangeError(`base58 accepts at most ${MAX_BYTES} bytes`);
  return bs58.encode(bytes);
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

/** Whether a text is 32 zero bytes in base58: the system program, which never holds a token. */
export function isSystemProgram(text: string): boolean {
  return text === '1'.repeat(32);
}
