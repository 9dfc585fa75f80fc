import {
  baseUnitsToDecimal,
  decimalToBaseUnits,
  isDecimal,
  isPositiveDecimal,
} from '../contract/formats/decimal.js';

// More decimals than any amount of the contract has, so that no digit is lost.
const DECIMALS = 100;

const toUnits = (amount: string) => decimalToBaseUnits(amount, DECIMALS) ?? 0n;

/** Refuses an amount of a test that is not a decimal string above zero. */
export function requireAmount(amount: unknown): void {
  if (!isPositiveDecimal(amount)) throw new TypeError('amount must be a decimal string above zero');
}

/** Refuses a balance or a limit of a test that is not a decimal string. */
export function requireBalance(name: string, value: unknown): void {
  if (!isDecimal(value)) throw new TypeError(`${name} must be a decimal string such as '50.25'`);
}

/** Returns whether a balance covers the sum of some amounts, all decimal strings. */
export function coversAmounts(balance: string, ...amounts: readonly string[]): boolean {
  const total = amounts.reduce((sum, amount) => sum + toUnits(amount), 0n);
  return toUnits(balance) >= total;
}

/** Returns a balance minus an amount. */
export function subtract(balance: string, amount: string): string {
  return baseUnitsToDecimal(toUnits(balance) - toUnits(amount), DECIMALS);
}

/** Returns a balance plus an amount. */
export function add(balance: string, amount: string): string {
  return baseUnitsToDecimal(toUnits(balance) + toUnits(amount), DECIMALS);
}
