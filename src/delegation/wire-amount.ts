import { baseUnitsToDecimal } from '../contract/formats/decimal.js';
import { invalid } from './invalid.js';

/** The unit in which the service gets the limit. */
export type WireAmountUnit = 'currency-units' | 'base-units';

/**
 * The limit as the service gets it.
 *
 * @throws RequestValidationError for an unknown unit: the wrong one changes the limit a millionfold
 */
export function wireAmountOf(units: bigint, decimals: number, unit?: WireAmountUnit): string {
  if (unit === 'base-units') return units.toString();
  if (unit !== undefined && unit !== 'currency-units') {
    return invalid('wireAmount', "must be 'currency-units' or 'base-units'");
  }
  return baseUnitsToDecimal(units, decimals);
}
