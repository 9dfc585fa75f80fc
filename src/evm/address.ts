import { getAddress } from 'viem';
import { isAddress } from '../contract/formats/evm-checksum.js';

/** Whether a text is an EVM address; the EIP-55 checksum of one in mixed case must be right. */
export function isEvmAddress(text: string): boolean {
  return isAddress(text, toChecksumAddress);
}

/** Returns the EIP-55 form of an address in any case. Uses viem, which a page loads anyway. */
export function toChecksumAddress(address: string): `0x${string}` {
  return getAddress(address.toLowerCase());
}
