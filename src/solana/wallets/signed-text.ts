import { UnsupportedSignatureError } from '../../delegation/wallet-errors.js';
import { verifyEd25519 } from './ed25519.js';

const SIGNING_DOMAIN = [0xff, ...Array.from('solana offchain', (one) => one.charCodeAt(0))];
const NO_APPLICATION_DOMAIN = new Array<number>(32).fill(0);
/** ASCII, short UTF-8 and long UTF-8. */
const FORMATS = [0, 1, 2];

/** Whether bytes are an off-chain message of Solana, which begins with bytes that no text has. */
function isOffchainMessage(bytes: Uint8Array): boolean {
  return SIGNING_DOMAIN.every((byte, index) => bytes[index] === byte);
}

/** The forms in which a Ledger device signs a text instead of the text itself. */
function envelopesOf(text: Uint8Array, signer: Uint8Array): Uint8Array[] {
  const length = [text.length & 255, text.length >> 8];
  const bodies = FORMATS.flatMap((format) => [
    // Version 0, as in the specification, and as the first devices wrote it.
    [0, ...NO_APPLICATION_DOMAIN, format, 1, ...signer, ...length],
    [0, format, ...length],
  ]);
  return [...bodies, [1, 1, ...signer]].map((header) =>
    Uint8Array.from([...SIGNING_DOMAIN, ...header, ...text]),
  );
}

/** Whether the signer signed the text as an off-chain message in place of the text itself. */
export async function isOffchainSignature(
  signature: Uint8Array,
  text: Uint8Array,
  signer: Uint8Array,
): Promise<boolean> {
  for (const envelope of envelopesOf(text, signer)) {
    if (await verifyEd25519(signature, envelope, signer)) return true;
  }
  return false;
}

/** Requires that a wallet which returns what it signed has signed exactly the text. */
export function requireSameText(signed: ArrayLike<number>, text: Uint8Array): void {
  const bytes = Uint8Array.from(signed);
  if (isOffchainMessage(bytes)) {
    throw new UnsupportedSignatureError('an off-chain message in place of the text');
  }
  if (bytes.join() !== text.join()) throw new Error('the wallet signed another text');
}

/** Requires that a wallet returned something for its only input. */
export function requireResult<T>(response: T | null | undefined): T {
  if (response === undefined || response === null) throw new Error('the wallet returned nothing');
  return response;
}
