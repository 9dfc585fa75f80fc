import { baseUnitsToDecimal, decimalToBaseUnits } from '../contract/formats/decimal.js';

// More than any amount of the contract can have, so that no digit is ever lost.
const DECIMALS = 100;

const toUnits = (amount: string) => decimalToBaseUnits(amount, DECIMALS) ?? 0n;

/** Whether a balance covers an amount; both are decimal strings. */
export function covers(balance: string, ...amounts: readonly string[]): boolean {
  const wanted = amounts.reduce((sum, amount) => sum + toUnits(amount), 0n);
  return toUnits(balance) >= wanted;
}

/** A balance less an amount. */
export function subtract(balance: string, amount: string): string {
  return baseUnitsToDecimal(toUnits(balance) - toUnits(amount), DECIMALS);
}
