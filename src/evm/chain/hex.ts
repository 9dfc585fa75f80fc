const BYTES = /^0x(?:[0-9a-f]{2})*$/i;

/** Whether a value is bytes in hex, of the given length. */
export function isHex(value: unknown, length?: number): value is `0x${string}` {
  if (typeof value !== 'string' || !BYTES.test(value)) return false;
  return length === undefined || value.length === 2 + length * 2;
}
