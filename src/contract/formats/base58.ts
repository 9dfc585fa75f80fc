import bs58 from 'bs58';

/** Longest text that is worth decoding: decoding base58 takes quadratic time. */
const LONGEST = 128;

/** Decodes base58 (Bitcoin alphabet). Gives `undefined` for anything that is not base58. */
export function decodeBase58(text: string): Uint8Array | undefined {
  return text.length > LONGEST ? undefined : bs58.decodeUnsafe(text);
}

/** Encodes bytes as base58 (Bitcoin alphabet). */
export function encodeBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes);
}

/** Whether a text is a Solana address: base58 of exactly 32 bytes. */
export function isSolanaAddress(text: string): boolean {
  return decodeBase58(text)?.length === 32;
}

/** Whether a text is a Solana signature as the service takes it: 87 or 88 characters, 64 bytes. */
export function isSolanaSignature(text: string): boolean {
  return (text.length === 87 || text.length === 88) && decodeBase58(text)?.length === 64;
}
