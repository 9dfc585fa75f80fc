import { isWithinToken } from '../../../src/delegation/delegation-token.js';
import type { DriverContext, IssuedToken } from '../../../src/delegation/driver.js';
import type { SignedMessage } from '../../../src/delegation/state.js';
import {
  NonceNotAllowedError,
  SignerMismatchError,
  UserRejectedError,
  WalletError,
} from '../../../src/delegation/wallet-errors.js';
import { isUserRejection } from '../../../src/delegation/wallet-refusals.js';
import type { ToyDelegation } from './plan.js';
import { signatureOf } from './wallet.js';

/** Checks that the service's nonce fits into one line of the message. */
export function checkNonce({ nonce }: IssuedToken): void {
  if (!/^\w+$/.test(nonce)) throw new NonceNotAllowedError('letters and digits');
}

export function buildMessage(owner: string, nonce: string, expiresAt: number): string {
  return `${owner} delegates\nNonce: ${nonce}\nExpires: ${expiresAt}`;
}

/** Asks the wallet to sign the message, and checks who did. */
export async function signMessage(
  { wallet, owner }: ToyDelegation,
  { nonce }: IssuedToken,
  context: DriverContext,
): Promise<SignedMessage> {
  const expiresAt = context.tokenExpiresAt();
  const text = buildMessage(owner, nonce, expiresAt);
  const signature = await context.prompt(() => wallet.sign(text).catch(explain));
  if (signature !== signatureOf(owner, text)) throw new SignerMismatchError();
  return { text, signature, expiresAt };
}

function explain(error: unknown): never {
  if (isUserRejection(error)) throw new UserRejectedError(error);
  throw new WalletError('it did not sign', 'not_sent', error);
}

/** Whether a saved message is the one for this token, signed by the owner, and still valid. */
export async function acceptsMessage(
  { owner }: ToyDelegation,
  { text, signature, expiresAt = 0 }: SignedMessage,
  { nonce }: IssuedToken,
  context: DriverContext,
): Promise<boolean> {
  if (!isWithinToken(expiresAt, context)) return false;
  return text === buildMessage(owner, nonce, expiresAt) && signature === signatureOf(owner, text);
}
