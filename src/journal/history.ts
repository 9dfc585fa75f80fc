import { cardTransactions } from '../contract/card.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import type { DebitedWallet, Row } from '../contract/lookup.js';
import { HISTORY_PAGE_SIZE, walletHistory } from '../contract/wallet-history.js';
import { isApiError } from '../errors/index.js';
import { readTime, SERVICE_MARGIN_MS } from './entry-window.js';
import type { Reads } from './reads.js';

const MOST_PAGES = 30;
const MOST_ATTEMPTS = 3;
const DAY_MS = 24 * 60 * 60_000;

type ReadPage = (page: number) => Promise<readonly Row[] | undefined>;

/** Reads every page forwards, and again backwards; `undefined` if a page has changed in between. */
async function readTwice(
  readPage: ReadPage,
  isLast: (rows: readonly Row[], page: number, first: readonly Row[]) => boolean,
): Promise<readonly (readonly Row[])[] | 'moving' | undefined> {
  const pages: (readonly Row[])[] = [];
  for (;;) {
    if (pages.length === MOST_PAGES) return undefined;
    const rows = await readPage(pages.length);
    if (rows === undefined) return undefined;
    pages.push(rows);
    if (isLast(rows, pages.length - 1, pages[0] ?? [])) break;
  }
  for (let page = pages.length - 2; page >= 0; page--) {
    const again = await readPage(page);
    if (JSON.stringify(again) !== JSON.stringify(pages[page])) return 'moving';
  }
  return pages;
}

/**
 * Reads a paged list as it was at one moment. A row that is added or removed between two reads shifts
 * the others, so that one could be missed or counted twice. A page that is the same before and after
 * the moment at which the last one was read was the same at that moment.
 */
async function readList(...given: Parameters<typeof readTwice>) {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const pages = await readTwice(...given);
    if (pages !== 'moving') return pages;
  }
  return undefined;
}

/**
 * Whether a row is so new that another read may not show it yet. A page from such a read begins one row
 * later, so the row between it and the page before is on neither.
 */
function mayHaveMoved(times: readonly number[], now: number, settleTime: number): boolean {
  return times.some((time) => !(time < now - settleTime - SERVICE_MARGIN_MS));
}

/** Whether every row has a time, newest first, and the last one is older than this time. */
function endsBefore(rows: readonly Row[], time: number): boolean {
  const times = rows.map(({ date }) => readTime(date));
  const isSorted = times.every((each, index) => index === 0 || each <= (times[index - 1] ?? 0));
  return isSorted && (times.at(-1) ?? Number.NaN) < time;
}

/**
 * Reads the debits of a wallet since a time, and adds them to the evidence. Returns `undefined` if
 * the history cannot be read to its end, or if a debit may have moved between two of its pages.
 */
export async function readDebits(
  reads: Reads,
  wallet: DebitedWallet,
  { since, settleTime }: { since: number; settleTime: number },
): Promise<readonly Row[] | undefined> {
  const pages = await readList(
    (page) => reads.list(walletHistory, { ...wallet, page }),
    (rows) => rows.length < HISTORY_PAGE_SIZE || endsBefore(rows, since),
  );
  const rows = pages?.flat();
  // A sign that is not known may be a debit.
  const debits = rows?.filter(({ sign }) => !equalsIgnoringCase(sign, 'credit'));
  const near = debits?.filter(({ date }) => !(readTime(date) < since));
  const fields = ['name', 'amount', 'currency', 'sign', 'date'];
  if (near) reads.show('wallets.history.list', near, fields);
  const times = rows?.map(({ date }) => readTime(date)) ?? [];
  const { earliest: now = Number.NaN } = reads.times ?? {};
  const hasPages = pages !== undefined && pages.length > 1;
  return hasPages && mayHaveMoved(times, now, settleTime) ? undefined : near;
}

const PURCHASE_FIELDS = [
  'id',
  'dateTime',
  'sign',
  'merchantNameLocation',
  'transactionCurrency',
  'amountInTransactionCurrency',
  'status',
  'fundingSources',
];

/**
 * Reads the card's transactions between two times. Returns `undefined` if the service does not show
 * them: the endpoint is a preview, and a client may not be allowed to call it.
 */
export async function readPurchases(
  reads: Reads,
  from: number,
  to: number,
): Promise<readonly Row[] | undefined> {
  // The service does not document the time zone of its days.
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const days = { dateFrom: dayOf(from - DAY_MS), dateTo: dayOf(to + DAY_MS) };
  const isRepeated = (rows: readonly Row[], page: number, first: readonly Row[]) =>
    page > 0 && JSON.stringify(rows) === JSON.stringify(first);
  try {
    const pages = await readList(
      async (page) => {
        const rows = await reads.read(cardTransactions, { ...days, page });
        return rows === null ? [] : reads.rowsOf(rows);
      },
      // A page past the end repeats the first one.
      (rows, page, first) => rows.length === 0 || isRepeated(rows, page, first),
    );
    return pages?.filter((rows, page) => !isRepeated(rows, page, pages[0] ?? [])).flat();
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}

/** Adds purchases to the evidence. */
export function showPurchases(reads: Reads, purchases: readonly Row[]): void {
  reads.show('card.transactions', purchases, PURCHASE_FIELDS);
}

/** The sums that a purchase may have taken from a wallet. One that cannot be read may be any sum. */
function sumsOf(row: Row, names: readonly string[]): readonly number[] {
  return names.reduce<readonly number[]>(
    (sums, name) => {
      const value = row[name];
      if (value === undefined || value === null) return sums;
      return sums.flatMap((sum) => [sum, sum + Number(value)]);
    },
    [0],
  );
}

/** Whether a card purchase may have taken this amount, whenever it was settled. */
export function mayHaveTaken(purchase: Row, amount: string | undefined): boolean {
  const sources = purchase['fundingSources'];
  const rows: readonly unknown[] = Array.isArray(sources) ? sources : [];
  // Without the wallets that have paid, only the merchant's currency is known.
  if (rows.length === 0) return true;
  const sums = [
    ...sumsOf(purchase, ['amountInTransactionCurrency', 'feesInTransactionCurrency']),
    ...sumsOf(purchase, ['amountInOriginalCurrency', 'feesInOriginalCurrency']),
    ...rows.flatMap((source) => sumsOf(Object(source), ['amount', 'fees', 'swapFee'])),
  ];
  // Sums of decimals are not exact as numbers.
  return sums.some((sum) => !(Math.abs(Math.abs(sum) - Number(amount)) > 1e-6));
}
