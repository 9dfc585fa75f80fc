/** An error of a node, with its JSON-RPC code. */
export class MockNodeError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: string,
  ) {
    super(message);
  }
}

/** The error of a call that a contract refuses. */
export function revert(): MockNodeError {
  return new MockNodeError(3, 'execution reverted', '0x');
}

/** The error of a node for parameters that it does not accept. */
export function invalidParams(message: string): MockNodeError {
  return new MockNodeError(-32602, message);
}

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
