import { decimalToBaseUnits, isDecimal } from '../contract/formats/decimal.js';
import type { DelegationLimit } from './driver.js';

/** A limit as the service reports it, next to the requested one. */
export type ReportedLimit =
  /** `same` may also be what is left of the requested limit. */
  { readonly is: 'same' | 'different'; readonly shown: string } | { readonly is: 'unreadable' };

const HEX = /^0x[0-9a-f]{1,64}$/i;
/** Up to this many digits, a JSON number is exactly the decimal that the service wrote. */
const EXACT_DIGITS = 15;

/**
 * Compares a limit of the service's list with the requested one. In practice the list has decimal texts,
 * numbers, and texts that are neither; a proof has whole or base units (`wireAmount`). So a value is
 * read in both units, and in hex as well. A wrong match would need an old limit that is the new one
 * times a power of ten of the decimals.
 *
 * @param remaining what the chain still allows, if known: the service may count down as it is spent
 */
export function compareLimit(
  value: unknown,
  limit: DelegationLimit,
  remaining?: bigint,
): ReportedLimit {
  const text = textOf(value);
  const readings = text === undefined ? [] : readingsOf(text, limit.decimals);
  if (text === undefined || readings.length === 0) return { is: 'unreadable' };
  const same = [limit.units, limit.allowance, remaining];
  return { is: readings.some((units) => same.includes(units)) ? 'same' : 'different', shown: text };
}

/** A text or an exact number as text; `undefined` for anything else. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'number') return undefined;
  const text = String(value);
  // Not the decimal that the service wrote, but the nearest one that a number can be.
  return text.replace(/\D/g, '').length > EXACT_DIGITS ? undefined : text;
}

function readingsOf(text: string, decimals: number): bigint[] {
  const whole = HEX.test(text) ? BigInt(text).toString() : text;
  if (!isDecimal(whole)) return [];
  const readings = [decimalToBaseUnits(whole, decimals), decimalToBaseUnits(whole, 0)];
  const known = readings.filter((units) => units !== undefined);
  // More decimals than the currency has: readable, and equal to nothing.
  return known.length > 0 ? known : [-1n];
}
