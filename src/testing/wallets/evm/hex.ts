/** A number as JSON-RPC writes it. */
export function quantity(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16)}`;
}

/** A number as a word of 32 bytes. */
export function wordOf(value: bigint | number): `0x${string}` {
  return `0x${value.toString(16).padStart(64, '0')}`;
}

/** An address as a word of 32 bytes. */
export function addressWord(address: string): `0x${string}` {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** A text as the ABI encodes it: the offset, the length, the bytes. */
export function abiText(text: string): `0x${string}` {
  const bytes = new TextEncoder().encode(text);
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0');
  return `0x${wordOf(32).slice(2)}${wordOf(bytes.length).slice(2)}${padded}`;
}
