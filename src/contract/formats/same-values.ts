import { isDecimal } from './decimal.js';
import { equalsIgnoringCase } from './ignore-case.js';
import { dropTrailing } from './trailing.js';

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

/** Whether a value is this address. Only EVM addresses are the same in another case. */
export function isSameAddress(value: unknown, address: string): boolean {
  return address.startsWith('0x') ? equalsIgnoringCase(value, address) : value === address;
}
