import { recoverMessageAddress } from 'viem';
import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { SignerMismatchError, UnsupportedSignatureError } from '../../delegation/wallet-errors.js';
import { isHex } from '../chain/json-rpc.js';

const BYTES = 65;
/** The end of a signature for an account that is not deployed (EIP-6492). */
const WRAPPED = '6492'.repeat(16);
/**
 * Half the order of secp256k1. Every signature has a twin on the other side of it, and Ethereum accepts
 * only the lower one (EIP-2).
 */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Returns a signature in the form that the service accepts: 65 bytes, made by the address's own key,
 * with 27 or 28 at the end.
 *
 * @throws UnsupportedSignatureError for the signature of a smart account, and for one that is
 * compact, malleable or malformed.
 * @throws SignerMismatchError when another account signed.
 *
 * @example
 * ```ts
 * import { checkSignature } from 'card-platform-sdk/evm';
 *
 * async function sigHash(text: string, signature: string, address: string): Promise<string> {
 *   return checkSignature(text, signature, address);
 * }
 * ```
 */
export async function checkSignature(
  text: string,
  signature: string,
  address: string,
): Promise<`0x${string}`> {
  if (!isHex(signature)) throw new UnsupportedSignatureError('it is not hex');
  if (signature.endsWith(WRAPPED)) {
    throw new UnsupportedSignatureError('a smart account that is not deployed yet', 'eip-6492');
  }
  const length = (signature.length - 2) / 2;
  if (length !== BYTES) {
    throw new UnsupportedSignatureError(
      `it has ${length} bytes, not ${BYTES}: a smart account, or a compact signature`,
    );
  }
  const usual = withUsualRecovery(signature);
  if (BigInt(`0x${usual.slice(66, 130)}`) > HALF_ORDER) {
    throw new UnsupportedSignatureError('it is malleable');
  }
  const signer = await recoverMessageAddress({ message: text, signature: usual }).catch(() => null);
  if (!equalsIgnoringCase(signer, address)) throw new SignerMismatchError();
  return usual;
}

/** Some hardware wallets end a signature with 0 or 1; contracts and services expect 27 or 28. */
function withUsualRecovery(signature: `0x${string}`): `0x${string}` {
  const recovery = Number.parseInt(signature.slice(-2), 16);
  if (recovery > 1 && recovery !== 27 && recovery !== 28) {
    throw new UnsupportedSignatureError('its last byte is invalid');
  }
  const usual = recovery > 1 ? recovery : recovery + 27;
  return `${signature.slice(0, -2)}${usual.toString(16)}` as `0x${string}`;
}
