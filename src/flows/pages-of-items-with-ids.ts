import { type Paged, type PageOptions, readPage, readPages, servedAgain } from './pagination.js';

/** An item with an id. Without one, it cannot be distinguished from equal items. */
type Item = { id?: string | null | undefined };

const idOf = (item: Item | null) => item?.id ?? undefined;

/** What two readings of the same page have in common: the ids, because a status may change. */
function fingerprintOf(items: readonly Item[]): string {
  const ids = items.map(idOf);
  return JSON.stringify(ids.includes(undefined) ? items : ids);
}

/** Whether a page is page 0 again, perhaps shifted by new items. */
function isFirstAgain(items: readonly Item[], first: readonly Item[]): boolean {
  const [item] = first;
  const id = item && idOf(item);
  if (id === undefined) return fingerprintOf(items) === fingerprintOf(first);
  return items.some((one) => idOf(one) === id);
}

/**
 * Iterates over the items of all pages, each id once, where pages have no known size and the page
 * after the last one is page 0 again. An item that moves to a later page because others
 * arrive is passed on once.
 *
 * When it starts after the first page, it reads the first page as well, to recognise it.
 *
 * @throws ConfigurationError when `maxPages` is not a whole number above zero
 * @throws PaginationError when the service repeats a page other than the first, or sends one that
 *   is not an array, or when the end was not seen within `maxPages`
 */
export async function* iteratePagesById<Entry extends Item>(
  paged: Paged<Entry>,
  options: PageOptions = {},
): AsyncGenerator<Entry, void, undefined> {
  const known = new Set<string>();
  const fingerprints = new Set<string>();
  let first: readonly Entry[] | undefined;
  for await (const { page, items } of readPages(paged, options)) {
    if (page !== 0) {
      first ??= await readPage(paged, 0);
      if (isFirstAgain(items, first)) {
        // A page of new items also moves page 0 here. Only page 0 shows which of the two it is.
        const now = await readPage(paged, 0);
        if (isFirstAgain(now, items)) return;
        first = now;
        fingerprints.clear();
      }
    }
    first ??= items;
    const fingerprint = fingerprintOf(items);
    if (fingerprints.has(fingerprint)) {
      // Items that arrive between two later pages also move the earlier one here.
      const now = await readPage(paged, 0);
      if (isFirstAgain(now, first)) throw servedAgain(paged, page);
      first = now;
      fingerprints.clear();
    }
    fingerprints.add(fingerprint);
    for (const item of items) {
      const id = idOf(item);
      if (id !== undefined && known.has(id)) continue;
      if (id !== undefined) known.add(id);
      yield item;
    }
    if (items.length === 0) return;
  }
}
