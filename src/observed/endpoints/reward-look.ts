import { type OwnEndpoint, walletHistory } from '../../endpoints/index.js';
import type { HISTORY_PAGE_SIZE, WalletTransaction } from '../../index.js';
import type { ObservedSchema } from '../schema/schema.js';
import { getRewardWallet, type WithdrawRewardInput } from './reward-reads.js';

type Reconcile = NonNullable<OwnEndpoint<ObservedSchema<WithdrawRewardInput>>['reconcile']>;
type Tools = Parameters<Reconcile['look']>[0];

const FULL_PAGE: typeof HISTORY_PAGE_SIZE = 10;
const MOST_PAGES = 30;
/** Whole units by which a fee may change an amount, at least. */
const SMALLEST_MARGIN = 10;
/** The part of an amount by which a fee may change it. */
const MARGIN = 0.5;

/** A decimal with as many digits as any amount has, so that two spellings of one amount are equal. */
function sameSpelling(amount: unknown): string | undefined {
  const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(String(amount)) ?? [];
  return whole === undefined ? undefined : `${BigInt(whole)}.${fraction.padEnd(60, '0')}`;
}

/** Whether a debit is a withdrawal of this amount. No source shows whether a debit includes the fee. */
function matches(shown: unknown, amount: string): boolean | 'maybe' {
  const decimal = sameSpelling(shown);
  if (decimal === undefined) return 'maybe';
  if (decimal === sameSpelling(amount)) return true;
  const margin = Math.max(SMALLEST_MARGIN, Number(amount) * MARGIN);
  return Math.abs(Number(shown) - Number(amount)) <= margin ? 'maybe' : false;
}

/**
 * Reads the history until it is older than the request. Returns `undefined` if it is too long or cannot
 * be read. A transaction that arrives between two pages shifts the others, so the first page is read
 * again, and the result is also `undefined` if it has changed.
 */
async function readHistory({ read, isTooOld }: Tools, walletId: string) {
  const pageOf = (page: number) => read(walletHistory, { walletId, walletType: 'REWARD', page });
  const all: WalletTransaction[] = [];
  let first: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const rows = await pageOf(page);
    if (rows === undefined) return undefined;
    first ??= JSON.stringify(rows);
    all.push(...rows);
    if (rows.length >= FULL_PAGE && !rows.some(({ date }) => isTooOld(date))) continue;
    const isUnchanged = page === 0 || JSON.stringify(await pageOf(0)) === first;
    return isUnchanged ? all : undefined;
  }
  return undefined;
}

/** Looks for a withdrawal in the history of the reward wallet, which the contract documents. */
export const lookAtRewardHistory: Reconcile['look'] = async (tools) => {
  const wallet = await tools.read(getRewardWallet, {});
  if (typeof wallet?.id !== 'string') {
    return { isDone: undefined, reason: 'the service shows no reward wallet' };
  }
  tools.show(getRewardWallet, [wallet], ['id', 'balance', 'currency']);
  const rows = await readHistory(tools, wallet.id);
  if (rows === undefined) {
    return { isDone: undefined, reason: 'the history could not be read to its end' };
  }
  // A sign that is not known may be a debit.
  const debits = rows.filter(({ sign }) => String(sign).toLowerCase() !== 'credit');
  const near = debits.filter(({ date }) => !tools.isTooOld(date));
  tools.show(walletHistory, near, ['name', 'amount', 'currency', 'sign', 'date']);
  return {
    effects: debits.map(({ amount, date }) => ({
      time: date,
      matches: (details) => matches(amount, details.amount),
    })),
  };
};
