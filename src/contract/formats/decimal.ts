import { dropTrailing } from './trailing.js';

const DECIMAL = /^\d+(\.\d+)?$/;
const LONGEST = 100;

/** Whether a text is a plain decimal number: digits, optionally a point and more digits. */
export function isDecimal(text: string): boolean {
  return text.length <= LONGEST && DECIMAL.test(text);
}

/** Whether a decimal text is above zero. */
export function isPositiveDecimal(text: string): boolean {
  return isDecimal(text) && /[1-9]/.test(text);
}

/**
 * A decimal text as base units, exactly: `('1.5', 6)` is `1500000n`.
 * Gives `undefined` where that is impossible: not a plain decimal, or more decimals than fit.
 */
export function decimalToBaseUnits(text: string, decimals: number): bigint | undefined {
  if (!isDecimal(text)) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  const significant = dropTrailing(fraction, '0');
  if (significant.length > decimals) return undefined;
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/** Base units as the shortest decimal text: `(1500000n, 6)` is `'1.5'`. */
export function baseUnitsToDecimal(units: bigint, decimals: number): string {
  if (units < 0n) throw new RangeError('base units are never negative');
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = dropTrailing(digits.slice(digits.length - decimals), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
