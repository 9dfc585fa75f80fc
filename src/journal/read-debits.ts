import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import {
  HISTORY_PAGE_SIZE,
  type WalletHistoryInput,
  walletHistory,
} from '../contract/wallet-history.js';
import { readTime } from './entry-times.js';
import type { LookContext } from './look.js';
import type { Reads, Row } from './reads.js';

const MOST_PAGES = 30;
const HISTORY_FIELDS = ['name', 'amount', 'currency', 'sign', 'date'];

/** The reason of a finding when `readDebits` returns `undefined`. */
export const HISTORY_IS_UNREADABLE = 'the history could not be read to its end';

/**
 * Reads the history until it is older than the request. Returns `undefined` if it is too long or cannot
 * be read. A transaction that arrives between two pages shifts the others, so the first page is read
 * again, and the result is also `undefined` if it has changed.
 */
async function readHistory(
  reads: Reads,
  wallet: WalletHistoryInput,
  isOld: (rows: readonly Row[]) => boolean,
): Promise<readonly Row[] | undefined> {
  const all: Row[] = [];
  let first: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const rows = await reads.list(walletHistory, { ...wallet, page });
    if (rows === undefined) return undefined;
    first ??= JSON.stringify(rows);
    all.push(...rows);
    if (rows.length >= HISTORY_PAGE_SIZE && !isOld(rows)) continue;
    if (page === 0) return all;
    const again = await reads.list(walletHistory, { ...wallet, page: 0 });
    return JSON.stringify(again) === first ? all : undefined;
  }
  return undefined;
}

/**
 * Reads the debits of a wallet from its history, and adds those that may be later than the request
 * to the evidence. Returns `undefined` if the history cannot be read to its end.
 */
export async function readDebits(
  { reads, entry, timesOf }: LookContext,
  wallet: WalletHistoryInput,
): Promise<readonly Row[] | undefined> {
  const { earliest } = timesOf(entry);
  const isTooOld = ({ date }: Row) => readTime(date) < earliest;
  const rows = await readHistory(reads, wallet, (page) => page.some(isTooOld));
  // A sign that is not known may be a debit.
  const debits = rows?.filter(({ sign }) => !equalsIgnoringCase(sign, 'credit'));
  const near = debits?.filter((row) => !isTooOld(row));
  if (near) reads.show('wallets.history.list', near, HISTORY_FIELDS);
  return debits;
}
