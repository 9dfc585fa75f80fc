import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isAddress } from './evm-checksum.js';

/**
 * Returns the EIP-55 form of an address, whatever its case.
 *
 * @throws RangeError for anything but 0x and 40 hex characters
 *
 * @example
 * ```ts
 * import { toChecksumAddress } from 'card-platform-sdk';
 *
 * toChecksumAddress('0x52908400098527886e0f7030069857d2e4169ee7');
 * // '0x52908400098527886E0F7030069857D2E4169EE7'
 * ```
 */
export function toChecksumAddress(address: string): `0x${string}` {
  if (!/^0x[\da-f]{40}$/i.test(address)) throw new RangeError('not an EVM address');
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const upper = (digit: string, i: number) => (hash.charAt(i) > '7' ? digit.toUpperCase() : digit);
  return `0x${digits.replace(/[a-f]/g, upper)}`;
}

/**
 * Whether a text is an EVM address: 0x and 40 hex characters. The EIP-55 checksum of an address in
 * mixed case must be right; all-lower and all-upper case have no checksum and are accepted.
 *
 * @example
 * ```ts
 * import { isEvmAddress } from 'card-platform-sdk';
 *
 * isEvmAddress('0x52908400098527886E0F7030069857D2E4169EE7'); // true
 * isEvmAddress('0x52908400098527886E0F7030069857D2E4169eE7'); // false: its checksum is wrong
 * ```
 */
export function isEvmAddress(text: string): boolean {
  return isAddress(text, toChecksumAddress);
}
