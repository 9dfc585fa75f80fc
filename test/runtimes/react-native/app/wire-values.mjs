// JSON with bytes, big integers and the address objects of a Solana connection. Both sides use it: the
// app in Hermes, and the wallet network in Node.

const MARK = '$type';

function toWire(_, value) {
  if (typeof value === 'bigint') return { [MARK]: 'bigint', value: String(value) };
  if (value instanceof Uint8Array) return { [MARK]: 'bytes', value: Array.from(value) };
  if (typeof value?.toBase58 === 'function') return { [MARK]: 'address', value: value.toBase58() };
  return value;
}

function fromWire(_, part) {
  const { value } = part ?? {};
  switch (part?.[MARK]) {
    case 'bigint':
      return BigInt(value);
    case 'bytes':
      return Uint8Array.from(value);
    case 'address':
      return { toBase58: () => value };
    default:
      return part;
  }
}

/** Returns a value as text. */
export const encodeValue = (value) => JSON.stringify(value, toWire);

/** Returns the value of a text. */
export const decodeValue = (text) => JSON.parse(text, fromWire);
