/** A number from its bytes, least significant first. */
export function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n);
}

/** The eight bytes of a u64, least significant first. */
export function u64(value: bigint): Uint8Array {
  return bytesOf(value, 8);
}

/** The four bytes of a u32, least significant first. */
export function u32(value: number): Uint8Array {
  return bytesOf(BigInt(value), 4);
}

function bytesOf(value: bigint, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}
