import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { HISTORY_PAGE_SIZE, type WalletHistoryInput } from '../contract/wallet-history.js';
import { decideByCount, type Effect, type Finding, undecided } from './count-effects.js';
import { readTime } from './entry-times.js';
import type { Look, LookContext } from './look.js';
import type { Reads, Row } from './reads.js';
import { isSameAddress } from './same-address.js';
import { isSameAmount, isSimilarAmount } from './same-amount.js';

const MOST_PAGES = 30;
const HISTORY_FIELDS = ['name', 'amount', 'currency', 'sign', 'date'];

function toEffect({ amount, date }: Row): Effect {
  return {
    time: readTime(date),
    isOf: (details) => isSameAmount(amount, details['amount'] ?? ''),
    mayBeOf: (details) => isSimilarAmount(amount, details['amount'] ?? ''),
  };
}

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
    const rows = await reads.list(reads.endpoints.walletHistory, { ...wallet, page });
    if (rows === undefined) return undefined;
    first ??= JSON.stringify(rows);
    all.push(...rows);
    if (rows.length >= HISTORY_PAGE_SIZE && !isOld(rows)) continue;
    if (page === 0) return all;
    const again = await reads.list(reads.endpoints.walletHistory, { ...wallet, page: 0 });
    return JSON.stringify(again) === first ? all : undefined;
  }
  return undefined;
}

async function lookAtHistory(context: LookContext, wallet: WalletHistoryInput): Promise<Finding> {
  const { reads, entry, timesOf } = context;
  const { earliest } = timesOf(entry);
  const rows = await readHistory(reads, wallet, (page) =>
    page.some(({ date }) => readTime(date) < earliest),
  );
  if (rows === undefined) return undecided('the history could not be read to its end');
  // A sign that is not known may be a debit.
  const debits = rows.filter(({ sign }) => !equalsIgnoringCase(sign, 'credit'));
  const near = debits.filter(({ date }) => !(readTime(date) < earliest));
  reads.show('wallets.history.list', near, HISTORY_FIELDS);
  return decideByCount(context, debits.map(toEffect));
}

/** Looks for a withdrawal in the history of the credit wallet. */
export const lookAtCreditWithdrawal: Look = async (context) => {
  const { reads } = context;
  const wallet = (await reads.read(reads.endpoints.getCreditWallet, {})) as Row | undefined;
  const walletId = wallet?.['id'];
  if (wallet === undefined || typeof walletId !== 'string') {
    return undecided('the service shows no credit wallet');
  }
  reads.show('wallets.credit.get', [wallet], ['id', 'balance', 'currency']);
  return lookAtHistory(context, { walletId, walletType: 'CREDIT' });
};

/** Looks for a withdrawal in the history of the custodial wallet that it was taken from. */
export const lookAtInternalWithdrawal: Look = async (context) => {
  const { reads, entry } = context;
  const { sourceAddress = '', sourceMemo, currency = '' } = entry.details;
  const wallets = await reads.list(reads.endpoints.listInternalWallets, {});
  const own = wallets?.filter(
    ({ address, currency: held, addressMemo }) =>
      isSameAddress(address, sourceAddress) &&
      equalsIgnoringCase(held, currency) &&
      (sourceMemo === undefined || addressMemo === sourceMemo),
  );
  const [wallet] = own ?? [];
  if (own?.length !== 1 || typeof wallet?.['id'] !== 'string') {
    return undecided('the wallet of the request is not in the list');
  }
  reads.show('wallets.internal.list', [wallet], ['id', 'balance', 'currency', 'address']);
  return lookAtHistory(context, {
    walletId: wallet['id'],
    walletType: 'INTERNAL',
    walletCurrency: currency,
  });
};
