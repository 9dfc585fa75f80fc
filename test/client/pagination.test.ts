import { describe, expect, it } from 'vitest';
import type { WalletTransaction } from '../../src/contract/wallet-history.js';
import { clientFor, json, rejection } from '../support/clients.js';

const WALLET = { walletId: 'w', walletType: 'CREDIT' } as const;

function transaction(index: number): WalletTransaction {
  return { name: `t${index}`, amount: '1', currency: 'usdc', sign: 'debit', date: '2026-01-01' };
}

/**
 * Creates a client of a service with `count` transactions, and records the pages that it requests.
 */
function clientWith(count: number, pageOf = (page: number) => page) {
  const pages: number[] = [];
  const all = Array.from({ length: count }, (_, index) => transaction(index));
  const client = clientFor('https://api.example.com', {
    fetch: async (url) => {
      const page = Number(new URL(url).searchParams.get('page') ?? 0);
      pages.push(page);
      return json(all.slice(pageOf(page) * 10, pageOf(page) * 10 + 10));
    },
  });
  return { history: client.wallets.history, pages };
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

  it.each([0, -1, 1.5, Number.NaN, undefined as never])('rejects the limit %s', async (limit) => {
    const { history, pages } = clientWith(25);
    const error = await rejection(history.toArray(WALLET, { limit }));
    expect(error).toMatchObject({ name: 'ConfigurationError', option: 'limit' });
    expect(pages).toEqual([]);
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
    expect(pages).toEqual([0, 1, 2]);
    const refused = await rejection(drain(history.iterate(WALLET, { maxPages: 0 })));
    expect(refused).toMatchObject({ name: 'ConfigurationError', option: 'maxPages' });
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

  it('rejects invalid input before anything is sent', async () => {
    const { history, pages } = clientWith(10);
    const error = await rejection(drain(history.iterate({ ...WALLET, page: -1 })));
    expect(error).toMatchObject({ name: 'RequestValidationError', issues: [{ path: 'page' }] });
    expect(pages).toEqual([]);
  });
});
