import { type Paged, type PageOptions, readPage, readPages, servedAgain } from './pagination.js';

/** An item with an id. Without one, it cannot be told from its equals. */
type Item = { id?: string | null | undefined };

const idsOf = (items: readonly Item[]) => items.map((item) => item?.id ?? undefined);

/**
 * Iterates over the items of all pages, each id once, where pages have no known size and the page
 * after the last one is the first page again. Items that arrive in the meantime move others to a
 * later page: they are passed on once.
 *
 * A start after the first page reads that page too, to recognise it.
 *
 * @throws ConfigurationError when `maxPages` is not a whole number above zero
 * @throws PaginationError when the service sends another page again, or when there are more than
 *   `maxPages`
 */
export async function* iteratePagesById<Entry extends Item>(
  paged: Paged<Entry>,
  options: PageOptions = {},
): AsyncGenerator<Entry, void, undefined> {
  const ids = new Set<string>();
  const prints = new Set<string>();
  let firstId: string | undefined;
  let firstPrint: string | undefined;
  const begin = (items: readonly Entry[]) => {
    [firstId] = idsOf(items);
    firstPrint = JSON.stringify(items);
  };
  for await (const { page, items } of readPages(paged, options)) {
    if (page === 0) begin(items);
    else if (firstPrint === undefined) {
      const first = await readPage(paged, 0);
      begin(first);
      prints.add(JSON.stringify(first));
      for (const id of idsOf(first)) if (id !== undefined) ids.add(id);
    }
    const print = JSON.stringify(items);
    const isNew = (item: Entry) => item?.id == null || !ids.has(item.id);
    const fresh = prints.has(print) ? [] : items.filter(isNew);
    if (fresh.length === 0) {
      if (items.length === 0 || print === firstPrint) return;
      if (firstId !== undefined && idsOf(items).includes(firstId)) return;
      throw servedAgain(paged, page);
    }
    prints.add(print);
    for (const item of fresh) {
      if (!isNew(item)) continue;
      if (item?.id != null) ids.add(item.id);
      yield item;
    }
  }
}
