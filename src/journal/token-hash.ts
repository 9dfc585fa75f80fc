import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Characters of a fingerprint: enough that two users never share one, too few to be a token. */
const LENGTH = 16;
const SALT = 'card-platform-sdk journal ';

/**
 * A part of the hash of an access token. It recognises the same token again. The service's tokens are
 * random, so nobody can find a token by its hash, and a part of a hash signs nobody in.
 */
export function tokenHashOf(accessToken: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(SALT + accessToken))).slice(0, LENGTH);
}

/** A random id of 32 hex digits, and not predictable where the runtime has secure random numbers. */
export function randomId(): string {
  const bytes = new Uint8Array(16);
  const { crypto } = globalThis as { crypto?: { getRandomValues(target: Uint8Array): unknown } };
  if (crypto === undefined) {
    for (let index = 0; index < bytes.length; index++) bytes[index] = Math.random() * 256;
  } else {
    crypto.getRandomValues(bytes);
  }
  return bytesToHex(bytes);
}
