import { ConfigurationError, PaginationError } from '../errors/index.js';

/** The limit of paging. */
export type PageOptions = {
  /**
   * How many pages of the list are read at most, as a guard against an endless list: if its end was
   * not seen by then, a `PaginationError` follows the items. Default 1,000. Card transactions read
   * page 0 again to recognise their end, which does not count.
   */
  maxPages?: number | undefined;
};

/** A paged list. */
export type Paged<Item> = {
  /** Endpoint id, for errors. */
  operation: string;
  /** Zero-indexed page to start from. */
  firstPage: number;
  fetchPage: (page: number) => Promise<readonly Item[]>;
};

/** A paged list whose pages have a known size. */
export type PagedBySize<Item> = Paged<Item> & {
  /** Items on a full page; a shorter page is the last one. */
  pageSize: number;
};

const DEFAULT_MAX_PAGES = 1_000;

/** How many pages of equal items may repeat before they count as one page served again. */
const MOST_UNDECIDED_PAGES = 10;

/** Reads one page. A response of a preview endpoint may be anything. */
export async function readPage<Item>(
  { operation, fetchPage }: Paged<Item>,
  page: number,
): Promise<readonly Item[]> {
  const items: unknown = await fetchPage(page);
  if (Array.isArray(items)) return items;
  throw new PaginationError(operation, page, `page ${page} is not an array.`);
}

/** Reads the pages of a list one after the other, with their numbers. */
export async function* readPages<Item>(
  paged: Paged<Item>,
  { maxPages = DEFAULT_MAX_PAGES }: PageOptions,
): AsyncGenerator<{ page: number; items: readonly Item[] }, void, undefined> {
  requireCount('maxPages', maxPages);
  const { operation, firstPage } = paged;
  for (let count = 0; count < maxPages; count++) {
    // The first page stays as it was passed, so that the first request refuses an invalid one.
    const page = count === 0 ? firstPage : firstPage + count;
    yield { page, items: await readPage(paged, page) };
  }
  const read = maxPages === 1 ? '1 page' : `${maxPages} pages`;
  const message = `the list had not ended after ${read}, and no further page was read.`;
  const next = `${message} Raise maxPages to read more.`;
  throw new PaginationError(operation, firstPage + maxPages, next);
}

/**
 * Iterates over the items of all pages. Reads a page only when its first item is needed.
 *
 * A page that equals an earlier one was served again, which is an error before any of its items is
 * passed on. Only if all its items are equal may it be another page that looks the same: it is then
 * held back until a page that differs from all earlier ones, or a shorter page, shows that it is.
 *
 * @throws ConfigurationError when `maxPages` is not a whole number above zero
 * @throws PaginationError when the service sends a page again, or one that is not an array, or when
 *   the end was not seen within `maxPages`
 */
export async function* iteratePages<Item>(
  paged: PagedBySize<Item>,
  options: PageOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<string>();
  let undecided: Item[] = [];
  let repeats = 0;
  for await (const { page, items } of readPages(paged, options)) {
    const isLast = items.length < paged.pageSize;
    const fingerprint = JSON.stringify(items);
    if (!isLast && seen.has(fingerprint)) {
      repeats++;
      if (!areEqual(items) || repeats > MOST_UNDECIDED_PAGES) throw servedAgain(paged, page);
      undecided.push(...items);
      continue;
    }
    yield* undecided;
    yield* items;
    if (isLast) return;
    seen.add(fingerprint);
    undecided = [];
    repeats = 0;
  }
}

function areEqual(items: readonly unknown[]): boolean {
  const [first, ...rest] = items.map((item) => JSON.stringify(item));
  return rest.every((item) => item === first);
}

/** The error about a page that was served before. */
export function servedAgain({ operation }: { operation: string }, page: number): PaginationError {
  return new PaginationError(operation, page, `page ${page} is the same as an earlier page.`);
}

/** Collects at most `limit` items. */
export async function collect<Item>(
  items: AsyncIterable<Item>,
  limit: number,
): Promise<readonly Item[]> {
  const collected: Item[] = [];
  for await (const item of items) {
    collected.push(item);
    if (collected.length >= limit) break;
  }
  return collected;
}

/**
 * Checks an option that counts something.
 *
 * @throws ConfigurationError when it is not a whole number above zero
 */
export function requireCount(option: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError(option, `${option} must be a whole number above zero.`);
}
