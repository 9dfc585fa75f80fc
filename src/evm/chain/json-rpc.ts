const QUANTITY = /^0x[0-9a-f]{1,64}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

/** Whether an answer is a number as JSON-RPC writes it. */
export function isQuantity(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && QUANTITY.test(value);
}

/** Whether a value is the hash of a transaction or a block. */
export function isHash(value: unknown): value is `0x${string}` {
  return typeof value === 'string' && HASH.test(value);
}

/** A number as JSON-RPC takes it. */
export function hex(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}
