const WITHOUT_CHECKSUM = /^0x(?:[\da-f]{40}|[\dA-F]{40})$/;

/** Whether a value has the form of an EVM address. Its checksum may be wrong. */
export function hasEvmForm(address: unknown): address is string {
  return typeof address === 'string' && /^0x[\da-f]{40}$/i.test(address);
}

/**
 * Whether a text is an EVM address; the EIP-55 checksum of one in mixed case must be right. You
 * pass the function that writes the checksum: the root has its own, and `/evm` uses viem's.
 */
export function isAddress(text: unknown, toChecksum: (address: string) => string): boolean {
  return hasEvmForm(text) && (WITHOUT_CHECKSUM.test(text) || toChecksum(text) === text);
}

/** Whether an address is the zero address, to which nothing may ever be granted or sent. */
export function isZeroAddress(address: string): boolean {
  return /^0x0{40}$/.test(address);
}
