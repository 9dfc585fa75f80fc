import { isIPv4 } from 'node:net';

/** One DER value: a tag, the length of the contents, the contents. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

export const sequence = (...contents: readonly Uint8Array[]) => der(0x30, ...contents);
export const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
export const octets = (...contents: readonly Uint8Array[]) => der(0x04, ...contents);
/** A bit string that uses all bits of its last byte, unless `unused` bits are left out. */
export const bits = (contents: Uint8Array, unused = 0) =>
  der(0x03, Buffer.from([unused]), contents);
/** An integer that is not negative: the first byte must be below 128. */
export const integer = (...bytes: readonly number[]) => der(0x02, Buffer.from(bytes));
export const text = (value: string) => der(0x0c, Buffer.from(value));
export const TRUE = der(0x01, Buffer.from([0xff]));

/** A time. Dates from 2050 on have a type of their own. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

/** The bytes of an IP address in a certificate. */
export function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  // A URL spells the address in hexadecimal only, and `::` at most once.
  const spelled = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = spelled.split('::');
  const groups = (part: string) => part.split(':').filter(Boolean);
  const zeros = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(zeros).fill('0'), ...groups(tail)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
