import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const ADDRESS = /^0x[a-fA-F0-9]{40}$/;

/**
 * The EIP-55 form of an address that is 0x and 40 hex characters, whatever its case.
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
  const lower = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(lower)));
  let checksummed = '';
  for (let i = 0; i < 40; i++) {
    const character = lower.charAt(i);
    checksummed += hash.charAt(i) >= '8' ? character.toUpperCase() : character;
  }
  return `0x${checksummed}`;
}

/**
 * Whether a text is an EVM address: 0x and 40 hex characters; in mixed case the EIP-55 checksum
 * has to hold. All-lower and all-upper case carry no checksum and are accepted.
 *
 * @example
 * ```ts
 * import { isEvmAddress } from 'card-platform-sdk';
 *
 * isEvmAddress('0x52908400098527886E0F7030069857D2E4169EE7'); // true
 * isEvmAddress('0x52908400098527886E0F7030069857D2E4169eE7'); // false: its checksum does not hold
 * ```
 */
export function isEvmAddress(text: string): boolean {
  if (!ADDRESS.test(text)) return false;
  const digits = text.slice(2);
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return true;
  return toChecksumAddress(text) === text;
}

/** Whether an address is the zero address, to which nothing may ever be granted or sent. */
export function isZeroAddress(address: string): boolean {
  return /^0x0{40}$/.test(address);
}
