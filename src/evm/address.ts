import { getAddress } from 'viem';
import { isAddress, isZeroAddress } from '../contract/formats/evm-checksum.js';
import { invalid } from '../delegation/check-values.js';

/** Whether a text is an EVM address; the EIP-55 checksum of one in mixed case must be right. */
export function isEvmAddress(text: string): boolean {
  return isAddress(text, toChecksumAddress);
}

/** Returns the EIP-55 form of an address in any case. Uses viem, which a page loads anyway. */
export function toChecksumAddress(address: string): `0x${string}` {
  return getAddress(address.toLowerCase());
}

/** Checks an address and returns its EIP-55 form. */
export function checkAddress(path: string, address: unknown): `0x${string}` {
  if (typeof address !== 'string' || !isEvmAddress(address)) {
    return invalid(path, 'must be an EVM address with a valid checksum');
  }
  return isZeroAddress(address)
    ? invalid(path, 'must not be the zero address')
    : toChecksumAddress(address);
}
