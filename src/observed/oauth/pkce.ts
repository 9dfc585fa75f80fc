import { sha256 } from '@noble/hashes/sha2.js';
import { ConfigurationError } from '../../endpoints/index.js';
import { withSecrets } from './with-secrets.js';

/** Where random bytes come from. */
export type RandomSource = {
  /**
   * Returns that many random bytes from a secure source. Required where the runtime has no WebCrypto,
   * as in React Native: pass `getRandomBytesAsync` of expo-crypto. Default `crypto.getRandomValues`.
   */
  randomBytes?: ((length: number) => Uint8Array | PromiseLike<Uint8Array>) | undefined;
};

/** A code verifier and its challenge (RFC 7636). The verifier is never printed. */
export type Pkce = {
  /** 43 characters. Only the exchange of the code sends it. */
  readonly verifier: string;
  /** SHA-256 of the verifier in base64url, without padding. */
  readonly challenge: string;
  readonly method: 'S256';
};

type WebCrypto = {
  getRandomValues(target: Uint8Array): unknown;
  subtle?: { digest(algorithm: 'SHA-256', data: Uint8Array): Promise<ArrayBuffer> };
};

const webCrypto = () => (globalThis as { crypto?: WebCrypto }).crypto;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns base64url without padding. Not every runtime has `btoa`. */
function base64Url(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(at, at + 3);
    const group = (one << 16) | (two << 8) | three;
    for (const shift of [18, 12, 6, 0]) text += DIGITS[(group >> shift) & 63];
  }
  return text.slice(0, Math.ceil((bytes.length * 4) / 3));
}

async function randomText(length: number, { randomBytes }: RandomSource): Promise<string> {
  if (randomBytes !== undefined) {
    const given: unknown = await randomBytes(length);
    // Jest's arrays belong to another realm, and a broken source repeats one byte.
    const bytes = ArrayBuffer.isView(given) ? Uint8Array.from(given as Uint8Array) : undefined;
    if (bytes?.length === length && bytes.some((byte) => byte !== bytes[0])) {
      return base64Url(bytes);
    }
    throw new ConfigurationError('randomBytes', `randomBytes must return ${length} random bytes.`);
  }
  const crypto = webCrypto();
  if (typeof crypto?.getRandomValues === 'function') {
    const bytes = new Uint8Array(length);
    crypto.getRandomValues(bytes);
    return base64Url(bytes);
  }
  throw new ConfigurationError(
    'randomBytes',
    'randomBytes is required: this runtime has no secure random numbers (crypto.getRandomValues). In React Native, pass getRandomBytesAsync of expo-crypto.',
  );
}

/** Pages without https have no `subtle`, and React Native has no `crypto`. Both hash in JavaScript. */
async function hash(text: string): Promise<Uint8Array> {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const subtle = webCrypto()?.subtle;
  return subtle === undefined
    ? sha256(bytes)
    : new Uint8Array(await subtle.digest('SHA-256', bytes));
}

/**
 * Creates a code verifier and its S256 challenge. There is no fallback to weak random numbers.
 *
 * @experimental
 * @throws ConfigurationError when there is no secure source of random bytes
 * @example
 * ```ts
 * import { createPkce } from 'card-platform-sdk/observed';
 *
 * const { verifier, challenge } = await createPkce();
 * console.log(verifier.length, challenge.length); // 43 43
 * ```
 */
export async function createPkce(source: RandomSource = {}): Promise<Pkce> {
  const verifier = await randomText(32, source);
  const challenge = base64Url(await hash(verifier));
  return withSecrets({ challenge, method: 'S256' as const }, { verifier });
}

/**
 * Creates a `state`: 22 random characters that only this login knows.
 *
 * @experimental
 * @throws ConfigurationError when there is no secure source of random bytes
 * @example
 * ```ts
 * import { createState } from 'card-platform-sdk/observed';
 *
 * console.log((await createState()).length); // 22
 * ```
 */
export function createState(source: RandomSource = {}): Promise<string> {
  return randomText(16, source);
}
