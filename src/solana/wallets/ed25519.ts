/** PKCS #8 wrapping of a raw ed25519 seed (RFC 8410): WebCrypto takes no raw private key. */
const PKCS8_HEAD = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/** Signs a message with a 32-byte ed25519 seed. */
export async function signWith(seed: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const key = Uint8Array.from([...PKCS8_HEAD, ...seed]);
  const imported = await crypto.subtle.importKey('pkcs8', key, 'Ed25519', false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('Ed25519', imported, Uint8Array.from(message)));
}

/**
 * Whether a signature over a message is the address's own. `undefined` where the runtime has no
 * ed25519 (React Native, older browsers): then only the service checks it.
 */
export async function verifyEd25519(
  signature: Uint8Array,
  message: Uint8Array,
  address: Uint8Array,
): Promise<boolean | undefined> {
  try {
    const subtle = crypto.subtle;
    const key = await subtle.importKey('raw', Uint8Array.from(address), 'Ed25519', false, [
      'verify',
    ]);
    return await subtle.verify(
      'Ed25519',
      key,
      Uint8Array.from(signature),
      Uint8Array.from(message),
    );
  } catch {
    return undefined;
  }
}
