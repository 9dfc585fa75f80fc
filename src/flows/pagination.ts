import { ConfigurationError, PaginationError } from '../errors/index.js';

/** The limit of paging. */
export type PageOptions = {
  /** Most pages to read, as a guard against an endless list. Default 1,000. */
  maxPages?: number | undefined;
};

/** A paged list. */
export type Paged<Item> = {
  /** Endpoint id, for errors. */
  operation: string;
  /** Items on a full page; a shorter page is the last one. */
  pageSize: number;
  /** Zero-indexed first page. */
  firstPage: number;
  fetchPage: (page: number) => Promise<readonly Item[]>;
};

const DEFAULT_MAX_PAGES = 1_000;

/**
 * Iterates over the items of all pages. Reads a page only when its first item is needed.
 *
 * @throws ConfigurationError when `maxPages` is not a whole number above zero
 * @throws PaginationError when the service sends a page twice, or when there are more than `maxPages`
 */
export async function* iteratePages<Item>(
  paged: Paged<Item>,
  { maxPages = DEFAULT_MAX_PAGES }: PageOptions = {},
): AsyncGenerator<Item, void, undefined> {
  requireCount('maxPages', maxPages);
  const { operation, pageSize, firstPage, fetchPage } = paged;
  let previous = '';
  // Counted from zero: a first page that is not a number is refused by the first request.
  for (let count = 0; count < maxPages; count++) {
    const page = firstPage + count;
    const items = await fetchPage(page);
    const print = JSON.stringify(items);
    if (items.length > 0 && print === previous) {
      throw new PaginationError(operation, page, `page ${page} is the same as the page before it.`);
    }
    previous = print;
    yield* items;
    if (items.length < pageSize) return;
  }
  const message = `there are more than ${maxPages} pages; raise maxPages to read more.`;
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
  return requireCount('limit', limit);
}

function requireCount(option: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new ConfigurationError(option, `${option} must be a whole number above zero.`);
}
