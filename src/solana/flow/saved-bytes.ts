import { decodeBase58, encodeBase58 } from '../../contract/formats/base58.js';

// Base58 takes quadratic time, so that long bytes are kept in parts of this size.
const PART = 64;

/** Bytes as a text that a saved state can hold. */
export function saveBytes(bytes: Uint8Array): string {
  const parts = Array.from({ length: Math.ceil(bytes.length / PART) }, (_, index) =>
    encodeBase58(bytes.subarray(index * PART, (index + 1) * PART)),
  );
  return parts.join('.');
}

/** The bytes of such a text; `undefined` where there is none, or it is not one. */
export function loadBytes(text: string | undefined): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const part of text?.split('.') ?? ['?']) {
    const decoded = decodeBase58(part);
    if (decoded === undefined) return undefined;
    bytes.push(...decoded);
  }
  return Uint8Array.from(bytes);
}
