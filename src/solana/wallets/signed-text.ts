import { UnsupportedSignatureError } from '../../delegation/wallet-errors.js';
import { isOffchainMessage } from './offchain-envelope.js';

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
