import { baseUnitsToDecimal, decimalToBaseUnits } from '../../contract/formats/decimal.js';
import { parseListedLimit } from '../../delegation/listed-limit.js';
import { UNLIMITED } from '../approval/plan.js';
import type { EvmSpendingPower } from './types.js';

/** Above half of what fits, a limit can never be used up: wallets approve the largest number. */
const NO_LIMIT = UNLIMITED / 2n;

/** What one wallet can spend, computed from base units. */
export function powerOf(
  decimals: number,
  reads: { readonly limit: bigint; readonly balance: bigint; readonly cap: bigint | undefined },
): Pick<EvmSpendingPower, 'cap' | 'limit' | 'isUnlimited' | 'balance' | 'spendable' | 'spent'> {
  const { limit, balance, cap } = reads;
  const text = (units: bigint) => baseUnitsToDecimal(units, decimals);
  const spent = cap === undefined ? undefined : cap > limit ? cap - limit : 0n;
  return {
    cap: cap === undefined ? undefined : text(cap),
    limit: text(limit),
    isUnlimited: limit > NO_LIMIT,
    balance: text(balance),
    spendable: text(limit < balance ? limit : balance),
    spent: spent === undefined ? undefined : text(spent),
  };
}

/** A limit of the service's list in base units; `undefined` for anything else. */
export function readCap(value: unknown, decimals: number): bigint | undefined {
  const limit = parseListedLimit(value);
  if (typeof limit !== 'string') return limit;
  const [whole = '', fraction = ''] = limit.split('.');
  // More digits than the token has mean nothing on the chain.
  return decimalToBaseUnits(`${whole}.${fraction.slice(0, decimals)}0`, decimals);
}
