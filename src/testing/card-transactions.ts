import type { MockCardTransaction } from './state.js';

type Filters = Readonly<Record<string, unknown>>;

const textIn = (transaction: MockCardTransaction, field: string) => {
  const value = transaction[field];
  return typeof value === 'string' ? value : '';
};

/** The fields in which a search looks for its key, ignoring case. */
const SEARCHED = ['merchantNameLocation', 'merchantType', 'mccCategory', 'transactionId'];

/** Returns the card transactions that pass the filters of a request. */
export function filterTransactions(
  all: readonly MockCardTransaction[],
  { dateFrom, dateTo, searchKey, mccCategories }: Filters,
): readonly MockCardTransaction[] {
  const key = typeof searchKey === 'string' ? searchKey.toLowerCase() : '';
  const categories =
    typeof mccCategories === 'string' && mccCategories !== '' ? mccCategories.split(',') : [];
  return all.filter((transaction) => {
    const day = textIn(transaction, 'dateTime').slice(0, 10);
    const isInTime =
      typeof dateFrom !== 'string' ||
      typeof dateTo !== 'string' ||
      (day >= dateFrom && day <= dateTo);
    const isFound = SEARCHED.some((field) =>
      textIn(transaction, field).toLowerCase().includes(key),
    );
    const isOfCategory =
      categories.length === 0 ||
      categories.some((category) => category.trim() === textIn(transaction, 'mccCategory'));
    return isInTime && isFound && isOfCategory;
  });
}
