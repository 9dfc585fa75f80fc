import { decimalToBaseUnits } from '../contract/formats/decimal.js';
import type { DelegationLimit } from './driver.js';
import { parseListedLimit } from './listed-limit.js';

/** A limit as the service reports it, next to the requested one. */
export type ReportedLimit =
  /** `same` may also be what is left of the requested limit. */
  { readonly is: 'same' | 'different'; readonly shown: string } | { readonly is: 'unreadable' };

/** Up to this many digits, a JSON number is exactly the decimal that the service wrote. */
const EXACT_DIGITS = 15;

/**
 * Compares a limit of the service's list with the requested one. In practice the list has decimal
 * strings, numbers, and strings that are neither. A proof has whole or base units (`wireAmount`).
 * Therefore a value is read in both units, and in hex as well. A wrong match would need two limits
 * whose ratio is 10 to the power of `decimals`.
 *
 * @param remaining what the chain still allows, if known: the service may count down as it is spent
 */
export function compareLimit(
  value: unknown,
  limit: DelegationLimit,
  remaining?: bigint,
): ReportedLimit {
  const listed = isExact(value) ? parseListedLimit(value) : undefined;
  if (listed === undefined) return { is: 'unreadable' };
  const same = [limit.units, limit.allowance, remaining];
  // More decimals than the currency has: readable, and equal to nothing.
  const isSame = [limit.decimals, 0]
    .map((decimals) => decimalToBaseUnits(String(listed), decimals))
    .some((units) => units !== undefined && same.includes(units));
  return { is: isSame ? 'same' : 'different', shown: String(value).trim() };
}

/** Whether a number is the decimal that the service wrote, not only the nearest number to it. */
function isExact(value: unknown): boolean {
  return typeof value !== 'number' || String(value).replace(/\D/g, '').length <= EXACT_DIGITS;
}
