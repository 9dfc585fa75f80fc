import { isDecimal } from '../contract/formats/decimal.js';
import { dropTrailing } from '../contract/formats/trailing.js';

/** Whole units by which a fee may change an amount, at least. */
const SMALLEST_MARGIN = 10;
/** The part of an amount by which a fee may change it. */
const MARGIN = 0.5;

/** A decimal in its shortest form: `10.50` and `010.5` are the same amount. */
function shortest(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const significant = dropTrailing(fraction, '0');
  return `${whole.replace(/^0+(?=\d)/, '')}${significant && `.${significant}`}`;
}

/** Whether two decimal texts are the same amount. */
export function isSameAmount(one: unknown, other: unknown): boolean {
  return isDecimal(one) && isDecimal(other) && shortest(String(one)) === shortest(String(other));
}

/**
 * Compares the amount of a debit with the amount of a request. Returns `'maybe'` if a fee could
 * explain the difference, because the contract does not show whether a debit includes it. Anything
 * that is not a decimal may be any amount.
 */
export function compareAmounts(debited: unknown, requested: unknown): boolean | 'maybe' {
  if (!isDecimal(debited) || !isDecimal(requested)) return 'maybe';
  if (isSameAmount(debited, requested)) return true;
  const margin = Math.max(SMALLEST_MARGIN, Number(requested) * MARGIN);
  return Math.abs(Number(debited) - Number(requested)) <= margin ? 'maybe' : false;
}
