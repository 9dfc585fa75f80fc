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
 * Whether an entry of the history may be this amount with or without its fee. The contract does not
 * show whether the fee is part of the entry. Anything that is not a decimal may be any amount.
 */
export function isSimilarAmount(shown: unknown, amount: string): boolean {
  if (!isDecimal(shown) || !isDecimal(amount)) return true;
  const requested = Number(amount);
  const margin = Math.max(SMALLEST_MARGIN, requested * MARGIN);
  return Math.abs(Number(shown) - requested) <= margin;
}
