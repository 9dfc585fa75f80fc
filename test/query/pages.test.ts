import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { setUp } from './set-up.js';

it.each([
  [0, [0]],
  [9, [9]],
  [10, [10, 0]],
  [24, [10, 10, 4]],
])('reads a wallet history of %i entries page by page', async (count, sizes) => {
  const { mock, ada, queries } = setUp();
  const { creditWallet, transactions } = mock.users.get(ada.id);
  transactions[creditWallet.id] = Array.from({ length: count }, (_, index) => ({
    name: `Coffee ${index}`,
    ...{ amount: '1', currency: 'usdc', sign: 'debit' as const, date: '2026-01-01T00:00:00.000Z' },
  }));
  const observer = new InfiniteQueryObserver(
    new QueryClient(),
    queries.wallets.history.pages({ walletId: creditWallet.id, walletType: 'CREDIT' }) as never,
  );
  await observer.refetch();
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
  const data = observer.getCurrentResult().data as unknown as { pages: unknown[][] };
  expect(data.pages.map((page) => page.length)).toEqual(sizes);
  expect(
    mock.requests.map(({ path }) => new URL(path, mock.baseUrl).searchParams.get('page')),
  ).toEqual(sizes.map((_, page) => String(page)));
});
