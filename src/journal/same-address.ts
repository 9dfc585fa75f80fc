import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';

/** Whether a value is this address. Only EVM addresses are the same in another case. */
export function isSameAddress(value: unknown, address: string): boolean {
  return address.startsWith('0x') ? equalsIgnoringCase(value, address) : value === address;
}
