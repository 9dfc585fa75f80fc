import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PaginationError } from '../../src/errors/index.js';
import { iteratePagesById } from '../../src/flows/pages-of-items-with-ids.js';
import { iteratePages } from '../../src/flows/pagination.js';
import { eventually } from './runs.js';

/** How a service returns the pages of a list: which page it returns for the one requested. */
type Service = (page: number, pages: number) => number;

const honest: Service = (page) => page;
const firstPastTheEnd: Service = (page, pages) => (page < pages ? page : 0);
const repeating =
  (repeated: number, from: number, isForever: boolean): Service =>
  (page) =>
    page === from || (isForever && page > from) ? repeated : page;

function reader<Item>(list: readonly Item[], size: number, service: Service) {
  const pages = Math.ceil(list.length / size);
  const fetchPage = async (page: number) => {
    const start = service(page, pages) * size;
    return list.slice(start, start + size);
  };
  return { operation: 'test', pageSize: size, firstPage: 0, fetchPage };
}

async function read<Item>(items: AsyncIterable<Item>): Promise<{ items: Item[]; error: unknown }> {
  const collected: Item[] = [];
  try {
    for await (const item of items) collected.push(item);
    return { items: collected, error: undefined };
  } catch (error) {
    return { items: collected, error };
  }
}

const size = fc.integer({ min: 2, max: 12 });
const unique = fc.integer({ min: 0, max: 80 }).map((count) => [...Array(count).keys()]);
/** Runs of equal items, which can make the pages of a correct service equal. */
const withEqualRuns = fc
  .array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 30 })), { maxLength: 6 })
  .map((runs) => runs.flatMap(([item, length]) => Array<number>(length).fill(item)));
const repeat = fc.record({
  repeated: fc.nat(6),
  distance: fc.integer({ min: 1, max: 6 }),
  isForever: fc.boolean(),
});

/** Whether two full pages are the same, although they do not consist of a single repeated item. */
function hasEqualMixedPages(list: readonly number[], pageSize: number): boolean {
  const pages = Array.from({ length: Math.floor(list.length / pageSize) }, (_, page) =>
    list.slice(page * pageSize, (page + 1) * pageSize),
  );
  const mixed = pages.filter((page) => new Set(page).size > 1).map((page) => page.join());
  return new Set(mixed).size < mixed.length;
}

/** The most pages in a row that equal earlier ones. */
function longestRepeat(list: readonly number[], pageSize: number): number {
  const seen = new Set<string>();
  let [longest, current] = [0, 0];
  for (let start = 0; start + pageSize <= list.length; start += pageSize) {
    const page = list.slice(start, start + pageSize).join();
    current = seen.has(page) ? current + 1 : 0;
    longest = Math.max(longest, current);
    seen.add(page);
  }
  return longest;
}

describe('the pages of a list without ids', () => {
  it('yield exactly the list of an honest service, however many entries are equal', () =>
    eventually([withEqualRuns, size], async (list, pageSize) => {
      fc.pre(!hasEqualMixedPages(list, pageSize) && longestRepeat(list, pageSize) <= 10);
      const { items, error } = await read(iteratePages(reader(list, pageSize, honest)));
      expect(error).toBeUndefined();
      expect(items).toEqual(list);
    }));

  it('yield the list or fail, without an entry twice, when page 0 follows the last page', () =>
    eventually([unique, size], async (list, pageSize) => {
      const { items, error } = await read(iteratePages(reader(list, pageSize, firstPastTheEnd)));
      expect(items).toEqual(list);
      const isLastPageFull = list.length > 0 && list.length % pageSize === 0;
      expect(error instanceof PaginationError).toBe(isLastPageFull);
    }));

  it('fail when a page is returned again, before any of it is yielded', () =>
    eventually(
      [unique, size, repeat],
      async (list, pageSize, { repeated, distance, isForever }) => {
        const from = repeated + distance;
        // The service repeats a full page in the place of another one.
        fc.pre((repeated + 1) * pageSize <= list.length && from * pageSize < list.length);
        const service = repeating(repeated, from, isForever);
        const { items, error } = await read(iteratePages(reader(list, pageSize, service)));
        expect(error).toBeInstanceOf(PaginationError);
        expect(items).toEqual(list.slice(0, from * pageSize));
      },
    ));

  it('end in bounded time when a page of equal entries is returned forever', () =>
    eventually([size], async (pageSize) => {
      let reads = 0;
      const fetchPage = async () => {
        reads++;
        return Array<number>(pageSize).fill(1);
      };
      const paged = { operation: 'test', pageSize, firstPage: 0, fetchPage };
      const { items, error } = await read(iteratePages(paged));
      expect(error).toBeInstanceOf(PaginationError);
      expect(items).toHaveLength(pageSize);
      expect(reads).toBeLessThan(20);
    }));
});

describe('the pages of a list with ids', () => {
  const withIds = unique.map((list) => list.map((id) => ({ id: `t${id}` })));

  it.each([
    ['honest', honest],
    ['one that returns page 0 past the end', firstPastTheEnd],
  ])('yield exactly the list of a service that is %s', (_, service) =>
    eventually([withIds, size, fc.nat(8)], async (list, pageSize, firstPage) => {
      const paged = { ...reader(list, pageSize, service), firstPage };
      const { items, error } = await read(iteratePagesById(paged));
      expect(error).toBeUndefined();
      expect(items).toEqual(list.slice(firstPage * pageSize));
    }));

  it('fail when a page other than the first is returned again, and never yield an id twice', () =>
    eventually(
      [withIds, size, repeat],
      async (list, pageSize, { repeated, distance, isForever }) => {
        const from = repeated + 1 + distance;
        fc.pre(from * pageSize < list.length);
        const service = repeating(repeated + 1, from, isForever);
        const { items, error } = await read(iteratePagesById(reader(list, pageSize, service)));
        expect(error).toBeInstanceOf(PaginationError);
        expect(items).toEqual(list.slice(0, from * pageSize));
      },
    ));

  it('yield every entry once while others arrive', () =>
    eventually(
      [withIds, size, fc.array(fc.nat(3), { maxLength: 60 })],
      async (list, pageSize, arrivals) => {
        const now = [...list];
        let reads = 0;
        const fetchPage = async (page: number) => {
          // Fewer than a page in all, so that page 0 again still contains its first entry.
          const arrived = now.length - list.length;
          const count = Math.min(arrivals[reads++] ?? 0, pageSize - 1 - arrived);
          for (let i = 0; i < count; i++) now.unshift({ id: `new${now.length}` });
          const start = page * pageSize < now.length ? page * pageSize : 0;
          return now.slice(start, start + pageSize);
        };
        const paged = { operation: 'test', firstPage: 0, fetchPage };
        const { items, error } = await read(iteratePagesById(paged));
        expect(error).toBeUndefined();
        const ids = items.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toEqual(expect.arrayContaining(list.map(({ id }) => id)));
      },
    ));
});
