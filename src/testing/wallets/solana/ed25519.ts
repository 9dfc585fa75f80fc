import { encodeBase58 } from '../../../contract/formats/base58.js';

/**
 * PKCS #8 wrapping of a raw ed25519 seed (RFC 8410). WebCrypto accepts no raw private key, and a
 * JWK would need the public key too.
 */
const PKCS8_HEAD = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/** A key of Solana: its address, and signing. */
export type SolanaKey = {
  readonly address: string;
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Promise<Uint8Array>;
};

/**
 * Creates a key from a seed of 32 bytes.
 *
 * @throws Error in a runtime whose WebCrypto has no Ed25519
 */
export async function solanaKey(seed: Uint8Array): Promise<SolanaKey> {
  const { crypto } = globalThis as { crypto?: Crypto };
  const pkcs8 = Uint8Array.from([...PKCS8_HEAD, ...seed]);
  try {
    if (crypto?.subtle === undefined) throw new Error('there is no crypto.subtle');
    const { subtle } = crypto;
    const key = await subtle.importKey('pkcs8', pkcs8, 'Ed25519', true, ['sign']);
    const { x = '' } = await subtle.exportKey('jwk', key);
    const publicKey = fromBase64Url(x);
    return {
      address: encodeBase58(publicKey),
      publicKey,
      async sign(message) {
        return new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(message)));
      },
    };
  } catch (cause) {
    throw new Error(
      'The Solana side of card-platform-sdk/testing/wallets signs with Ed25519 of crypto.subtle, which this runtime lacks. Use Node 20 or later, or a current browser; with jsdom, add `@vitest-environment node` or `@jest-environment node` to the test. The EVM side works without it.',
      { cause },
    );
  }
}

/** Whether a signature over a message is valid for a public key. */
export async function isSignedBy(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const { subtle } = globalThis.crypto;
  const raw = Uint8Array.from(publicKey);
  try {
    const key = await subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
    return await subtle.verify(
      'Ed25519',
      key,
      Uint8Array.from(signature),
      Uint8Array.from(message),
    );
  } catch {
    return false;
  }
}

function fromBase64Url(text: string): Uint8Array {
  const decoded = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(decoded, (character) => character.charCodeAt(0));
}
