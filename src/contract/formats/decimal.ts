import { dropTrailing } from './trailing.js';

const DECIMAL = /^\d+(\.\d+)?$/;
const MAX_LENGTH = 100;
const MAX_DECIMALS = 255;

/**
 * Whether a value is a plain decimal number in a text: digits, optionally a point and more digits.
 *
 * @example
 * ```ts
 * import { isDecimal } from 'card-platform-sdk';
 *
 * isDecimal('12.50'); // true
 * isDecimal('1e3'); // false
 * ```
 */
export function isDecimal(text: unknown): boolean {
  return typeof text === 'string' && text.length <= MAX_LENGTH && DECIMAL.test(text);
}

/**
 * Whether a value is a decimal text above zero.
 *
 * @example
 * ```ts
 * import { isPositiveDecimal } from 'card-platform-sdk';
 *
 * isPositiveDecimal('0.00'); // false
 * ```
 */
export function isPositiveDecimal(text: unknown): boolean {
  return isDecimal(text) && /[1-9]/.test(String(text));
}

/** A decimal text as base units, exactly, or `undefined`. Throws a RangeError for wrong decimals. */
export function decimalToBaseUnits(text: string, decimals: number): bigint | undefined {
  requireDecimals(decimals);
  if (!isDecimal(text)) return undefined;
  const [whole = '', fraction = ''] = text.split('.');
  const significant = dropTrailing(fraction, '0');
  if (significant.length > decimals) return undefined;
  return BigInt(whole + significant.padEnd(decimals, '0'));
}

/** Base units as the shortest decimal text. Throws a RangeError for wrong units or decimals. */
export function baseUnitsToDecimal(units: bigint, decimals: number): string {
  requireDecimals(decimals);
  if (typeof units !== 'bigint' || units < 0n) throw new RangeError('base units must be a bigint');
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = dropTrailing(digits.slice(digits.length - decimals), '0');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Whether a value is a number of decimals. */
export function isDecimalCount(decimals: unknown): boolean {
  return Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= MAX_DECIMALS;
}

function requireDecimals(decimals: unknown): void {
  if (isDecimalCount(decimals)) return;
  throw new RangeError(`decimals must be a whole number from 0 to ${MAX_DECIMALS}`);
}
