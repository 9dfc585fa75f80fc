import { isDecimal } from '../contract/formats/decimal.js';

const HEX = /^0x[0-9a-f]{1,64}$/i;

/**
 * A limit of the service's list: base units from hex, otherwise the decimal string. `undefined` for
 * anything else, which the list contains in practice.
 */
export function parseListedLimit(value: unknown): bigint | string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  if (HEX.test(trimmed)) return BigInt(trimmed);
  return isDecimal(trimmed) ? trimmed : undefined;
}
