import { dropTrailing } from './trailing.js';

const DECIMAL = /^\d+(\.\d+)?$/;
const MAX_LENGTH = 100;
const MAX_DECIMALS = 255;

/**
 * Whether a value is a plain decimal number in a text of at most 100 characters: digits, optionally
 * a point and more digits.
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

/**
 * Converts a decimal text to base units, exactly. Returns `undefined` for other text, and for one
 * with more significant decimals than the currency has.
 *
 * @throws RangeError for decimals that are not a whole number from 0 to 255
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
 * Converts base units to the shortest decimal text.
 *
 * @throws RangeError for units that are negative or not a bigint, and for decimals that are not a whole
 * number from 0 to 255
 */
export function baseUnitsToDecimal(units: bigint, decimals: number): string {
  requireDecimals(decimals);
  if (typeof units !== 'bigint' || units < 0n)
    throw new RangeError('base units must be a bigint, at least 0');
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
