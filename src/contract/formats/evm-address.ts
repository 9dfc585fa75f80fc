import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { hasEvmForm, isAddress } from './evm-checksum.js';

/** Returns the EIP-55 form of an address. Throws a RangeError for anything else. */
export function toChecksumAddress(address: string): `0x${string}` {
  if (!hasEvmForm(address)) throw new RangeError('not an EVM address');
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(Uint8Array.from(digits, (digit) => digit.charCodeAt(0))));
  // A letter is upper case where the hash has 8 or above in the same place.
  const upper = (digit: string, i: number) =>
    /[89a-f]/.test(hash.charAt(i)) ? digit.toUpperCase() : digit;
  return `0x${digits.replace(/[a-f]/g, upper)}`;
}

/**
 * Whether a value is an EVM address: 0x and 40 hex characters. The EIP-55 checksum of an address in
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
export function isEvmAddress(text: unknown): boolean {
  return isAddress(text, toChecksumAddress);
}
