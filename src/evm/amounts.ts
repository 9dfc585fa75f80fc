import { baseUnitsToDecimal, decimalToBaseUnits } from '../contract/formats/decimal.js';
import { invalid } from '../delegation/check-values.js';
import { isEvmDecimals } from './networks.js';

/** In base units. A larger amount is a mistake, or unlimited in all but name. */
export const LARGEST_AMOUNT = (1n << 128n) - 1n;

/**
 * Converts an amount of a currency to the token's base units, exactly: `('100.5', 6)` is `100500000n`.
 *
 * @throws RequestValidationError for anything that is not a plain decimal above zero: a sign, an
 * exponent, more decimals than the token has, 2^128 base units or more, or a number in place of a
 * string; and for `decimals` that are not a whole number from 0 to 36.
 *
 * @example
 * ```ts
 * import { amountToBaseUnits } from 'card-platform-sdk/evm';
 *
 * const units = amountToBaseUnits('100.5', 6);
 * ```
 */
export function amountToBaseUnits(amount: string, decimals: number): bigint {
  checkDecimals(decimals);
  return toBaseUnits('amount', amount, decimals);
}

/**
 * Converts base units to the shortest decimal amount: `(100500000n, 6)` is `'100.5'`.
 *
 * @throws RequestValidationError for units that are not a bigint from 0 to 2^256 - 1, and for
 * `decimals` that are not a whole number from 0 to 36.
 *
 * @example
 * ```ts
 * import { baseUnitsToAmount } from 'card-platform-sdk/evm';
 *
 * const amount = baseUnitsToAmount(100_500_000n, 6);
 * ```
 */
export function baseUnitsToAmount(units: bigint, decimals: number): string {
  checkDecimals(decimals);
  // A shift, because -1n >> 256n is -1n: it refuses negative units too.
  return typeof units === 'bigint' && units >> 256n === 0n
    ? baseUnitsToDecimal(units, decimals)
    : invalid('units', 'must be a bigint that is not negative, below 2^256');
}

/** Converts an amount to base units; `path` is its name in an error. */
export function toBaseUnits(path: string, amount: unknown, decimals: number): bigint {
  if (typeof amount !== 'string') return invalid(path, 'must be a decimal string');
  const units = decimalToBaseUnits(amount, decimals);
  if (units === undefined) {
    return invalid(path, `must be a plain decimal with at most ${decimals} decimals`);
  }
  if (units === 0n) invalid(path, 'must be above zero');
  if (units > LARGEST_AMOUNT) invalid(path, 'must be below 2^128 base units');
  return units;
}

function checkDecimals(decimals: unknown): void {
  if (!isEvmDecimals(decimals)) invalid('decimals', 'must be a whole number from 0 to 36');
}
