import { baseUnitsToDecimal } from '../contract/formats/decimal.js';

/** The unit in which the service gets the limit. */
export type WireAmountUnit = 'currency-units' | 'base-units';

/** The limit as the service gets it. */
export function wireAmountOf(units: bigint, decimals: number, unit?: WireAmountUnit): string {
  return unit === 'base-units' ? units.toString() : baseUnitsToDecimal(units, decimals);
}
