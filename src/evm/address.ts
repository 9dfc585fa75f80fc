import { getAddress, isAddress } from 'viem';

const UPPER = /^0x[0-9A-F]{40}$/;
const ZERO = /^0x0{40}$/;

/**
 * Whether a text is an EVM address; in mixed case the EIP-55 checksum has to hold. viem's hash is
 * used here, because a page that delegates has it anyway.
 */
export function isEvmAddress(text: string): boolean {
  return isAddress(text) || UPPER.test(text);
}

/** The EIP-55 form of an address, whatever its case. */
export function toChecksumAddress(address: string): `0x${string}` {
  return getAddress(address.toLowerCase());
}

/** Whether an address is the zero address, to which nothing may ever be granted. */
export function isZeroAddress(address: string): boolean {
  return ZERO.test(address);
}
