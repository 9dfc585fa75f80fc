/** A number from its bytes, least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n);
}

/** The eight bytes of a u64, least significant first. */
export function u64(value: bigint): Uint8Array {
  return Uint8Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}
