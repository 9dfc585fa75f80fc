import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { MockClock } from '../clock.js';
import type { Identifiers } from '../identifiers.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Encodes bytes as base64url without padding. React Native has neither `btoa` nor `Buffer`. */
export function base64url(bytes: Uint8Array): string {
  let text = '';
  for (let start = 0; start < bytes.length; start += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(start, start + 3);
    const group = (one << 16) | (two << 8) | three;
    for (const shift of [18, 12, 6, 0]) text += ALPHABET.charAt((group >> shift) & 63);
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3));
}

const encode = (value: object) => base64url(utf8ToBytes(JSON.stringify(value)));

/** Returns a token in the form of a JWT, whose signature cannot be verified. */
export function newJwt(
  { ids, clock }: { ids: Identifiers; clock: MockClock },
  lifetimeMs: number,
  claims: Readonly<Record<string, unknown>>,
): string {
  const iat = Math.floor(clock.now() / 1000);
  const payload = { ...claims, jti: ids.uuid(), iat, exp: iat + lifetimeMs / 1000 };
  const signature = base64url(utf8ToBytes(ids.hex(32)));
  return `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(payload)}.${signature}`;
}
