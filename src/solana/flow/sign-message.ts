import { decodeBase58, encodeBase58, isSolanaSignature } from '../../contract/formats/base58.js';
import { isWithinToken } from '../../delegation/delegation-token.js';
import type { DriverContext, IssuedToken } from '../../delegation/driver.js';
import type { SignedMessage } from '../../delegation/state.js';
import {
  NonceNotAllowedError,
  SignerMismatchError,
  UnsupportedSignatureError,
} from '../../delegation/wallet-errors.js';
import { isCardPlatformError } from '../../errors/index.js';
import { addressBytes } from '../addresses.js';
import { buildSolanaMessage } from '../message.js';
import { callWallet } from '../wallets/call-wallet.js';
import { verifyEd25519 } from '../wallets/ed25519.js';
import { isOffchainSignature } from '../wallets/signed-text.js';
import type { SolanaPlan } from './plan.js';

/** Ed25519 returns the same signature for the same text, so another try needs another text. */
const MAX_TEXTS = 3;
const OFFCHAIN = 'a hardware wallet signed it as an off-chain message, not as the text itself';

function messageOf(plan: SolanaPlan, nonce: string, issuedAt: number, expiresAt: number): string {
  const { uri, statement, messageRules: rules } = plan.options;
  const fields = {
    domain: plan.domain,
    address: plan.wallet.address,
    uri,
    statement,
    nonce,
    issuedAt: new Date(issuedAt),
    expirationTime: new Date(expiresAt),
  };
  return buildSolanaMessage(fields, { rules });
}

/** Checks that the service's nonce is valid in a line of its own. */
export function checkNonce(plan: SolanaPlan, { nonce }: IssuedToken): void {
  try {
    messageOf(plan, nonce, 0, 1);
  } catch (error) {
    if (!isCardPlatformError(error)) throw error;
    throw new NonceNotAllowedError('it must be one printable word');
  }
}

async function requireOwnSignature(plan: SolanaPlan, text: string, signature: Uint8Array) {
  const { address } = plan.wallet;
  if (signature.length !== 64) throw new UnsupportedSignatureError('not 64 bytes');
  const message = new TextEncoder().encode(text);
  const signer = addressBytes(address, 'wallet.address');
  if ((await verifyEd25519(signature, message, signer)) !== false) return;
  if (await isOffchainSignature(signature, message, signer)) {
    throw new UnsupportedSignatureError(OFFCHAIN);
  }
  throw new SignerMismatchError();
}

/** Asks for the signature of the message, and checks it before anything costs a fee. */
export async function signMessage(
  plan: SolanaPlan,
  { nonce }: IssuedToken,
  context: DriverContext,
): Promise<SignedMessage> {
  const expiresAt = context.tokenExpiresAt();
  for (let attempt = 0; attempt < MAX_TEXTS; attempt++) {
    const text = messageOf(plan, nonce, context.serverNow() + attempt, expiresAt);
    const bytes = new TextEncoder().encode(text);
    const words =
      attempt === 0 ? undefined : 'Sign again: the service does not accept the first signature.';
    const sign = () =>
      callWallet('signing the message', 'not_sent', () => plan.wallet.signMessage(bytes));
    const signature = await context.prompt(sign, words);
    await requireOwnSignature(plan, text, signature);
    const encoded = encodeBase58(signature);
    // About one in 23,000 is shorter than the service accepts.
    if (isSolanaSignature(encoded)) return { text, signature: encoded, expiresAt };
  }
  throw new UnsupportedSignatureError('shorter than 87 characters of base58');
}

const ISSUED_AT = /^Issued At: (.*)$/m;

/**
 * Whether a saved message is exactly the one that this flow builds for the token: the text is rebuilt
 * from the options and compared. The signature must be the wallet's own.
 */
export async function acceptsMessage(
  plan: SolanaPlan,
  { text, signature, expiresAt = 0 }: SignedMessage,
  { nonce }: IssuedToken,
  context: DriverContext,
): Promise<boolean> {
  if (!isWithinToken(expiresAt, context) || !isSolanaSignature(signature)) return false;
  const issuedAt = Date.parse(ISSUED_AT.exec(text)?.[1] ?? '');
  try {
    if (text !== messageOf(plan, nonce, issuedAt, expiresAt)) return false;
    await requireOwnSignature(plan, text, decodeBase58(signature) ?? new Uint8Array());
    return true;
  } catch (error) {
    if (isCardPlatformError(error)) return false;
    throw error;
  }
}
