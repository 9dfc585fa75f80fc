import { describe, expect, it } from 'vitest';
import type { CardTransaction } from '../../src/contract/card.js';
import type { WalletTransaction } from '../../src/contract/wallet-history.js';
import { clientFor, json, rejection } from '../support/clients.js';

const WALLET = { walletId: 'w', walletType: 'CREDIT' } as const;

function transaction(index: number): WalletTransaction {
  return { name: `t${index}`, amount: '1', currency: 'usdc', sign: 'debit', date: '2026-01-01' };
}

/**
 * Creates a client of a service with `count` transactions, and records the pages that it requests.
 */
function clientWith(count: number, pageOf = (page: number) => page, entry = transaction) {
  const pages: number[] = [];
  const all = Array.from({ length: count }, (_, index) => entry(index));
  const client = clientFor('https://api.example.com', {
    fetch: async (url) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 0);
      pages.push(page);
      return json(all.slice(pageOf(page) * 10, pageOf(page) * 10 + 10));
    },
  });
  return { history: client.wallets.history, pages };
}

/** Says no more than what was seen: nobody has read a further page. */
const NOT_ENDED = (pages: number) =>
  `the list had not ended after ${pages} page${pages > 1 ? 's' : ''}, and no further page was read. ` +
  'Raise maxPages to read more.';

/** Values that are not the number of a page. */
const NO_PAGES = [Number.NaN, -1, 1.5, '2', null, 2 ** 53, Number.POSITIVE_INFINITY, true, [2], {}];

/**
 * Creates a client of a service with `count` card transactions, whose page past the end is page 0.
 * `arrived` transactions have arrived since.
 */
function cardClient(
  count: number,
  size: number,
  pageOf = (page: number) => page,
  arrived = () => 0,
) {
  const pages: number[] = [];
  const all = Array.from({ length: count }, (_, index) => `t${index}`);
  const client = clientFor('https://api.example.com', {
    fetch: async (url) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 0);
      pages.push(page);
      const newest = Array.from({ length: arrived() }, (_, index) => `new${index}`).reverse();
      const now = [...newest, ...all].map((id) => ({ id }));
      const start = pageOf(page) * size < now.length ? pageOf(page) * size : 0;
      return json(now.slice(start, start + size));
    },
  });
  return { card: client.card, all, pages };
}

async function ids(items: AsyncIterable<CardTransaction>): Promise<string[]> {
  const read: string[] = [];
  for await (const { id } of items) read.push(id ?? '');
  return read;
}

async function drain(items: AsyncIterable<WalletTransaction>): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of items) names.push(name);
  return names;
}

describe('the wallet history', () => {
  it.each([
    [0, [0]],
    [1, [0]],
    [9, [0]],
    [10, [0, 1]],
    [11, [0, 1]],
    [20, [0, 1, 2]],
    [35, [0, 1, 2, 3]],
  ])('of %i transactions requests the pages %j', async (count, expected) => {
    const { history, pages } = clientWith(count);
    const names = await drain(history.iterate(WALLET));
    expect(names).toEqual(Array.from({ length: count }, (_, index) => `t${index}`));
    expect(pages).toEqual(expected);
  });

  it('starts at the page that the caller passes', async () => {
    const { history, pages } = clientWith(25);
    expect(await drain(history.iterate({ ...WALLET, page: 1 }))).toHaveLength(15);
    expect(pages).toEqual([1, 2]);
  });

  it('requests a page only when it is needed', async () => {
    const { history, pages } = clientWith(100);
    for await (const { name } of history.iterate(WALLET)) if (name === 't12') break;
    expect(pages).toEqual([0, 1]);
  });

  it.each([
    [1, 1, [0]],
    [10, 10, [0]],
    [11, 11, [0, 1]],
    [1000, 25, [0, 1, 2]],
  ])('limited to %i has %i transactions', async (limit, length, expected) => {
    const { history, pages } = clientWith(25);
    expect(await history.toArray(WALLET, { limit })).toHaveLength(length);
    expect(pages).toEqual(expected);
  });

  it('is read with the options of the call, page by page', async () => {
    const sent: unknown[] = [];
    const { wallets } = clientFor('https://api.example.com', {
      fetch: async (_, init) => {
        const headers = new Headers(init.headers);
        sent.push([headers.get('authorization'), headers.get('x-us-env')]);
        return json(
          Array.from({ length: sent.length === 1 ? 10 : 0 }, (__, at) => transaction(at)),
        );
      },
    });
    const options = { limit: 20, accessToken: 'token-of-the-call', region: 'us' } as const;
    expect(await wallets.history.toArray(WALLET, options)).toHaveLength(10);
    const expected = ['Bearer token-of-the-call', 'true'];
    expect(sent).toEqual([expected, expected]);
  });

  it.each([0, -1, 1.5, Number.NaN, undefined as never])('rejects the limit %s', async (limit) => {
    const { history, pages } = clientWith(25);
    const error = await rejection(history.toArray(WALLET, { limit }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'limit' });
    expect(pages).toEqual([]);
  });

  it('refuses options that are no object, and names a missing limit', async () => {
    const { history, pages } = clientWith(25);
    const toArray = history.toArray.bind(history) as (...args: unknown[]) => Promise<unknown>;
    for (const options of [[], [undefined], [null], [{}]]) {
      expect(await rejection(toArray(WALLET, ...options))).toMatchObject({
        name: 'ConfigurationError',
        option: 'limit',
      });
    }
    expect(await rejection(drain(history.iterate(WALLET, null as never)))).toMatchObject({
      name: 'ConfigurationError',
      option: 'options',
    });
    expect(pages).toEqual([]);
  });

  it('is that of the wallet that was passed, even if the caller uses the object again', async () => {
    const wallets: (string | null)[] = [];
    const client = clientFor('https://api.example.com', {
      fetch: async (url) => {
        const { searchParams } = new URL(url);
        wallets.push(searchParams.get('walletId'));
        const start = Number(searchParams.get('page')) * 10;
        const count = start < 20 ? 10 : 3;
        return json(Array.from({ length: count }, (_, index) => transaction(start + index)));
      },
    });
    const input = { ...WALLET, walletId: 'passed' };
    for await (const _ of client.wallets.history.iterate(input)) input.walletId = 'other';
    expect(wallets).toEqual(['passed', 'passed', 'passed']);
  });

  it('fails when the service returns the same page twice', async () => {
    const { history, pages } = clientWith(30, () => 0);
    const error = await rejection(drain(history.iterate(WALLET)));
    expect(error).toMatchObject({
      name: 'PaginationError',
      code: 'pagination_stuck',
      page: 1,
      operation: 'wallets.history.list',
    });
    expect(pages).toEqual([0, 1]);
  });

  it('stops at maxPages', async () => {
    const { history, pages } = clientWith(1000);
    const error = await rejection(drain(history.iterate(WALLET, { maxPages: 3 })));
    expect(error).toMatchObject({ name: 'PaginationError', page: 3 });
    expect(error).toHaveProperty('message', expect.stringContaining(NOT_ENDED(3)));
    expect(pages).toEqual([0, 1, 2]);
    const refused = await rejection(drain(history.iterate(WALLET, { maxPages: 0 })));
    expect(refused).toMatchObject({ name: 'ConfigurationError', option: 'maxPages' });
  });

  it('ends without an error if the last page that maxPages allows is shorter', async () => {
    const { history, pages } = clientWith(29);
    expect(await drain(history.iterate(WALLET, { maxPages: 3 }))).toHaveLength(29);
    expect(pages).toEqual([0, 1, 2]);
  });

  it('says only that no further page was read if the last page that maxPages allows is full', async () => {
    const { history, pages } = clientWith(30);
    const error = await rejection(drain(history.iterate(WALLET, { maxPages: 3 })));
    expect(error).toHaveProperty('message', expect.stringContaining(NOT_ENDED(3)));
    expect(pages).toEqual([0, 1, 2]);
  });

  it('stops after 1,000 pages by default', async () => {
    const { history, pages } = clientWith(10_001);
    const error = await rejection(drain(history.iterate(WALLET)));
    expect(error).toMatchObject({ name: 'PaginationError', page: 1_000 });
    expect(pages).toHaveLength(1_000);
  });

  it.each([
    [10, true],
    [11, false],
  ])('may have %i more pages of equal transactions that look the same: %s', async (more, isRead) => {
    const same = (more + 1) * 10;
    const { history } = clientWith(same + 1, undefined, (index) =>
      transaction(index < same ? 0 : 1),
    );
    const names = drain(history.iterate(WALLET));
    if (isRead) expect(await names).toHaveLength(same + 1);
    else expect(await rejection(names)).toMatchObject({ code: 'pagination_stuck', page: 11 });
  });

  it('ends at once when it is aborted', async () => {
    const { history, pages } = clientWith(100);
    const controller = new AbortController();
    const reason = new Error('enough');
    const error = await rejection(
      (async () => {
        for await (const { name } of history.iterate(WALLET, { signal: controller.signal })) {
          if (name === 't9') controller.abort(reason);
        }
      })(),
    );
    expect(error).toBe(reason);
    expect(pages).toEqual([0]);
  });

  it.each(NO_PAGES)('rejects the page %s before anything is sent', async (page) => {
    const { history, pages } = clientWith(10);
    const input = { ...WALLET, page: page as number };
    for (const call of [
      () => history.list(input),
      () => drain(history.iterate(input)),
      () => history.toArray(input, { limit: 5 }),
    ]) {
      expect(await rejection(call())).toMatchObject({
        name: 'RequestValidationError',
        outcome: 'not_sent',
        issues: [{ path: 'page' }],
      });
    }
    expect(pages).toEqual([]);
  });

  it.each([
    ['page 0 after the last page', 30, (page: number) => page % 3, 3, 30],
    ['a page that is not the one before', 60, (page: number) => (page === 4 ? 2 : page), 4, 40],
    ['the same page from some page on', 90, (page: number) => Math.min(page, 5), 6, 60],
  ])('fails when the service returns %s, before any of it is yielded', async (_, count, pageOf, page, handedOut) => {
    const { history } = clientWith(count, pageOf);
    const names: string[] = [];
    const error = await rejection(
      (async () => {
        for await (const { name } of history.iterate(WALLET)) names.push(name);
      })(),
    );
    expect(error).toMatchObject({ name: 'PaginationError', page, outcome: 'rejected' });
    expect(new Set(names).size).toBe(handedOut);
    expect(names).toHaveLength(handedOut);
  });

  it.each([10, 20, 25, 60, 100])('yields %i transactions that are really equal', async (count) => {
    const { history } = clientWith(count, undefined, () => transaction(0));
    expect(await drain(history.iterate(WALLET))).toHaveLength(count);
  });

  it('yields pages of equal transactions between other pages', async () => {
    const indexes = [0, 1, 2].flatMap((part) => [
      ...Array.from({ length: 20 }, () => 1_000),
      ...Array.from({ length: 10 }, (_, index) => part * 10 + index),
    ]);
    const { history } = clientWith(90, undefined, (index) => transaction(indexes[index] ?? 0));
    expect(await drain(history.iterate(WALLET))).toEqual(indexes.map((index) => `t${index}`));
  });

  it('yields any number of them, if other pages are between', async () => {
    const indexes = Array.from({ length: 8 }, (_, part) => [
      ...Array.from({ length: 30 }, () => 1_000),
      ...Array.from({ length: 10 }, (__, index) => part * 10 + index),
    ]).flat();
    const { history } = clientWith(320, undefined, (index) => transaction(indexes[index] ?? 0));
    expect(await drain(history.iterate(WALLET))).toHaveLength(320);
  });

  it('fails when a page of equal transactions is returned again and again', async () => {
    const { history, pages } = clientWith(
      10,
      () => 0,
      () => transaction(0),
    );
    const names: string[] = [];
    const error = await rejection(
      (async () => {
        for await (const { name } of history.iterate(WALLET)) names.push(name);
      })(),
    );
    expect(error).toMatchObject({ name: 'PaginationError' });
    expect(names).toHaveLength(10);
    expect(pages.length).toBeLessThan(20);
  });
});

describe('the card transactions', () => {
  const PAST_THE_END = [25, 50, 1, 60];

  it.each(
    PAST_THE_END,
  )('of %i are yielded once when the service returns page 0 after the last page', async (count) => {
    const { card, all } = cardClient(count, 25);
    expect(await ids(card.iterateTransactions())).toEqual(all);
  });

  it('of none is an empty list', async () => {
    const { card, pages } = cardClient(0, 25);
    expect(await ids(card.iterateTransactions())).toEqual([]);
    expect(pages).toEqual([0]);
  });

  it.each([
    [1, 25, 60],
    [2, 50, 60],
    [3, 60, 60],
    [9, 60, 60],
  ])('from page %i on are yielded, without page 0', async (page, from, count) => {
    const { card, all } = cardClient(count, 25);
    expect(await ids(card.iterateTransactions({ page }))).toEqual(all.slice(from));
  });

  it('are yielded once each when new ones arrive while they are read', async () => {
    const { card, all, pages } = cardClient(60, 25, undefined, () => pages.length - 1);
    const read = await ids(card.iterateTransactions());
    expect(new Set(read).size).toBe(read.length);
    expect(read.filter((id) => all.includes(id))).toEqual(all);
  });

  it.each([
    ['the page before it', (page: number) => Math.min(page, 1), 2],
    ['an earlier page', (page: number) => (page === 3 ? 1 : page), 3],
  ])('fail when a page is %s a second time', async (_, pageOf, page) => {
    const { card, all } = cardClient(100, 25, pageOf);
    const read: string[] = [];
    const error = await rejection(
      (async () => {
        for await (const { id } of card.iterateTransactions()) read.push(id ?? '');
      })(),
    );
    expect(error).toMatchObject({ name: 'PaginationError', page, operation: 'card.transactions' });
    expect(read).toEqual(all.slice(0, page * 25));
  });

  it('without ids are yielded until a page is returned again', async () => {
    const client = clientFor('https://api.example.com', {
      fetch: async (url) => {
        const page = Number(new URL(url).searchParams.get('page')) % 2;
        return json([{ panLast4: `${page}` }, { panLast4: `${page}` }]);
      },
    });
    const read: unknown[] = [];
    for await (const { panLast4 } of client.card.iterateTransactions()) read.push(panLast4);
    expect(read).toEqual(['0', '0', '1', '1']);
  });

  it.each(['{}', 'null', '"none"'])('fail when a page is %s, which is not a list', async (body) => {
    const client = clientFor('https://api.example.com', { fetch: async () => json(body) });
    const error = await rejection(ids(client.card.iterateTransactions()));
    expect(error).toMatchObject({ name: 'PaginationError', page: 0 });
  });

  it.each([
    [1, false, [0]],
    // Page 1 is page 0 again, or has moved: page 0 shows which. This read does not count.
    [2, true, [0, 1, 0]],
  ])('of one page, read with maxPages %i, are shown to have ended: %s', async (maxPages, hasEnded, read) => {
    const { card, all, pages } = cardClient(5, 25);
    const passed: (string | null | undefined)[] = [];
    const end = (async () => {
      for await (const { id } of card.iterateTransactions({}, { maxPages })) passed.push(id);
    })();
    if (hasEnded) await end;
    else expect(String(await rejection(end))).toContain(NOT_ENDED(1));
    expect(passed).toEqual(all);
    expect(pages).toEqual(read);
  });

  it('stop at maxPages', async () => {
    const { card, pages } = cardClient(1_000, 25);
    const error = await rejection(ids(card.iterateTransactions({}, { maxPages: 2 })));
    expect(error).toMatchObject({ name: 'PaginationError', page: 2 });
    expect(pages).toEqual([0, 1]);
  });

  it('keep the filters of the caller on each page', async () => {
    const queries: string[] = [];
    const client = clientFor('https://api.example.com', {
      fetch: async (url) => {
        queries.push(new URL(url).search);
        return json(queries.length === 1 ? [{ id: 'a' }] : []);
      },
    });
    const input = { mccCategories: 'FOOD' };
    for await (const _ of client.card.iterateTransactions(input)) input.mccCategories = 'OTHER';
    expect(queries).toEqual(['?mccCategories=FOOD&page=0', '?mccCategories=FOOD&page=1']);
  });

  it('refuse null in place of options', async () => {
    const { card, pages } = cardClient(10, 25);
    const error = await rejection(ids(card.iterateTransactions({}, null as never)));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'options' });
    expect(pages).toEqual([]);
  });

  it.each(NO_PAGES)('reject the page %s before anything is sent', async (page) => {
    const { card, pages } = cardClient(10, 25);
    const input = { page: page as number };
    for (const call of [
      () => card.transactions(input),
      () => ids(card.iterateTransactions(input)),
    ]) {
      expect(await rejection(call())).toMatchObject({
        name: 'RequestValidationError',
        outcome: 'not_sent',
        issues: [{ path: 'page' }],
      });
    }
    expect(pages).toEqual([]);
  });
});
