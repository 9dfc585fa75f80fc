import { dropTrailing } from './trailing.js';

const DECIMAL = /^\d+(\.\d+)?$/;
const MAX_LENGTH = 100;
const MAX_DECIMALS = 255;

/**
 * Whether a text is a plain decimal number: digits, optionally a point and more digits.
 *
 * @example
 * ```ts
 * import { isDecimal } from 'card-platform-sdk';
 *
 * isDecimal('12.50'); // true
 * isDecimal('1e3'); // false
 * ```
 */
export function isDecimal(text: string): boolean {
  return typeof text === 'string' && text.length <= MAX_LENGTH && DECIMAL.test(text);
}

/**
 * Whether a decimal text is above zero.
 *
 * @example
 * ```ts
 * import { isPositiveDecimal } from 'card-platform-sdk';
 *
 * isPositiveDecimal('0.00'); // false
 * ```
 */
export function isPositiveDecimal(text: string): boolean {
  return isDecimal(text) && /[1-9]/.test(text);
}

/**
 * A decimal text as base units, exactly: `('1.5', 6)` is `1500000n`.
 * Returns `undefined` for anything but a plain decimal, and for more decimals than fit.
 *
 * @throws RangeError when `decimals` is not a whole number from 0 to 255
 *
 * @example
 * ```ts
 * import { decimalToBaseUnits } from 'card-platform-sdk';
 *
 * decimalToBaseUnits('250', 6); // 250000000n
 * decimalToBaseUnits('0.0000001', 6); // undefined: it would be rounded
 * ```
 */
export function decimalToBaseUnits(text: string, decimals: number): bigint | undefined {
  requireDecimals(decimals);
  if (!isDecimal(text)) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  const significant = dropTrailing(fraction, '0');
  if (significant.length > decimals) return undefined;
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/**
 * Base units as the shortest decimal text: `(1500000n, 6)` is `'1.5'`.
 *
 * @throws RangeError when `units` is not a bigint from zero up, or `decimals` not a whole number from
 * 0 to 255
 *
 * @example
 * ```ts
 * import { baseUnitsToDecimal } from 'card-platform-sdk';
 *
 * baseUnitsToDecimal(1500000n, 6); // '1.5'
 * ```
 */
export function baseUnitsToDecimal(units: bigint, decimals: number): string {
  requireDecimals(decimals);
  if (typeof units !== 'bigint') throw new RangeError('base units must be a bigint');
  if (units < 0n) throw new RangeError('base units are never negative');
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = dropTrailing(digits.slice(digits.length - decimals), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** With decimals that are not a number no digit is moved, and an amount is off by powers of ten. */
function requireDecimals(decimals: unknown): void {
  if (Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= MAX_DECIMALS)
    return;
  throw new RangeError(`decimals must be a whole number from 0 to ${MAX_DECIMALS}`);
}
