const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

/** Whether a value is bytes in hex, of the given length. */
export function isHex(value: unknown, length?: number): value is `0x${string}` {
  if (typeof value !== 'string' || !BYTES.test(value)) return false;
  return length === undefined || value.length === 2 + length * 2;
}

/** Whether a value is a number in the form of JSON-RPC. */
export function isQuantity(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && QUANTITY.test(value);
}

/** Whether a value is the hash of a transaction or a block. */
export function isHash(value: unknown): value is `0x${string}` {
  return isHex(value, 32);
}

/** A number in the form of JSON-RPC. */
export function hex(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}
