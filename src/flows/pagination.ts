import { ConfigurationError, PaginationError } from '../errors/index.js';

/** How far to page. */
export type PageOptions = {
  /** Pages to read at most, as a guard against a service that never ends. Default 1,000. */
  maxPages?: number | undefined;
};

/** A list that comes in pages. */
export type Paged<Item> = {
  /** Endpoint id, for errors. */
  operation: string;
  /** Items on a full page; a shorter page is the last one. */
  pageSize: number;
  /** Zero-indexed page to begin with. */
  firstPage: number;
  fetchPage: (page: number) => Promise<readonly Item[]>;
};

const DEFAULT_MAX_PAGES = 1_000;

/**
 * Gives the items of all pages, one after the other. A page is read only when its first item is
 * asked for.
 *
 * @throws PaginationError when the service repeats a page, or when there are more than `maxPages`
 */
export async function* iteratePages<Item>(
  paged: Paged<Item>,
  { maxPages = DEFAULT_MAX_PAGES }: PageOptions = {},
): AsyncGenerator<Item, void, undefined> {
  if (!Number.isInteger(maxPages) || maxPages < 1) {
    throw new ConfigurationError('maxPages', 'maxPages must be a whole number above zero.');
  }
  const { operation, pageSize, firstPage, fetchPage } = paged;
  let previous = '';
  for (let page = firstPage; page < firstPage + maxPages; page++) {
    const items = await fetchPage(page);
    const print = JSON.stringify(items);
    if (items.length > 0 && print === previous) {
      throw new PaginationError(operation, page, `page ${page} repeats the page before it.`);
    }
    previous = print;
    yield* items;
    if (items.length < pageSize) return;
  }
  const message = `there are more than ${maxPages} pages; raise maxPages to read on.`;
  throw new PaginationError(operation, firstPage + maxPages, message);
}

/**
 * Collects at most `limit` items.
 *
 * @throws ConfigurationError when `limit` is not a whole number above zero
 */
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

/** Checks a `limit` before anything is sent. */
export function requireLimit(limit: unknown): number {
  if (Number.isInteger(limit) && Number(limit) > 0) return Number(limit);
  throw new ConfigurationError('limit', 'limit must be a whole number above zero.');
}
