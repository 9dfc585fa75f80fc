import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query';
import type {
  Card,
  CardPlatformClient,
  CreditWithdrawal,
  WalletTransaction,
} from 'card-platform-sdk';
import { createQueries, type Queries } from 'card-platform-sdk/query';
import { expect, it } from 'vitest';

// The compiler judges these functions (`npm run types`): a line below `@ts-expect-error` must not
// compile, every other line must. Nothing here is called.

const HISTORY = { walletId: 'w', walletType: 'CREDIT' } as const;

function useQueriesInReact({ card, wallets, orders }: Queries): unknown {
  const { data } = useQuery(card.status());
  const maybe: Card | undefined = data;
  // @ts-expect-error the card is not there while it is read
  const card1: Card = data;
  const { data: suspended } = useSuspenseQuery(card.status());
  const certain: Card = suspended;
  const { data: status } = useQuery({ ...card.status(), select: (one) => one.status });
  const selected: Card['status'] | undefined = status;
  const { data: digits } = useSuspenseQuery({ ...card.status(), select: (one) => one.panLast4 });
  const text: string | null | undefined = digits;
  const { data: disabled } = useQuery({ ...orders.get({ orderId: 'o' }), enabled: false });
  const { data: pages, fetchNextPage } = useInfiniteQuery(wallets.history.pages(HISTORY));
  const entries: readonly WalletTransaction[] | undefined = pages?.pages[0];
  return [maybe, card1, certain, selected, text, disabled?.status, entries, fetchNextPage()];
}

async function queryClients(client: QueryClient, { card, wallets }: Queries): Promise<unknown> {
  await client.prefetchQuery(card.status());
  await client.prefetchInfiniteQuery({ ...wallets.history.pages(HISTORY), pages: 2 });
  const fetched: Card = await client.fetchQuery(card.status());
  const ensured: Card = await client.ensureQueryData(card.status());
  const known = client.getQueryData(card.status().queryKey);
  const cached: Card | undefined = known;
  const pages = client.getQueryData(wallets.history.pages(HISTORY).queryKey);
  const page: readonly WalletTransaction[] | undefined = pages?.pages[0];
  // @ts-expect-error a card is not a list
  const wrong: readonly Card[] | undefined = known;
  client.setQueryData(
    card.status().queryKey,
    (old) => old && { ...old, status: 'FROZEN' as const },
  );
  // @ts-expect-error a card has a status
  client.setQueryData(card.status().queryKey, { status: 7 });
  return [fetched, ensured, cached, page, wrong];
}

function useMutationsInReact({ card, wallets, delegation, user }: Queries): unknown {
  const withdraw = useMutation(wallets.credit.withdraw());
  const result: Promise<CreditWithdrawal> = withdraw.mutateAsync({ amount: '25' });
  const optimistic = useMutation({
    ...wallets.credit.withdraw(),
    onMutate: ({ amount }) => ({ amount }),
    onError: (error, { amount }, context) => [error.message, amount, context?.amount],
  });
  const { mutate: unfreeze } = useMutation(card.unfreeze());
  const { mutate: showDetails } = useMutation(card.createDetailsToken());
  const { mutate: getToken } = useMutation(delegation.getToken());
  return [
    result,
    optimistic.mutate({ amount: '1' }),
    unfreeze(),
    showDetails(),
    showDetails({ customCss: { cardTextColor: '#FFF' } }),
    getToken(),
    useMutation(user.startVerification()),
    // @ts-expect-error a withdrawal needs an amount
    withdraw.mutate(),
    // @ts-expect-error an amount is a decimal string
    withdraw.mutate({ amount: 25 }),
    // @ts-expect-error a withdrawal is not a query
    useQuery(wallets.credit.withdraw()),
    // @ts-expect-error single-use tokens are not queries
    useQuery(card.createDetailsToken()),
    // @ts-expect-error nor is the token of a delegation, although it is a GET
    useQuery(delegation.getToken()),
  ];
}

function inputs(client: CardPlatformClient): unknown {
  const { card, wallets, orders, within, referral } = createQueries({
    client,
    user: null,
    region: 'us',
  });
  return [
    card.transactions(),
    card.transactions({ searchKey: 'coffee' }),
    wallets.history.list({ ...HISTORY, page: 2 }),
    within('wallets.credit'),
    within('wallets.credit.get'),
    within(),
    // @ts-expect-error there is no such namespace
    within('wallet'),
    // @ts-expect-error an order has an id
    orders.get(),
    // @ts-expect-error a history of an internal wallet needs its currency
    wallets.history.list({ walletId: 'w', walletType: 'INTERNAL' }),
    // @ts-expect-error pages count themselves
    wallets.history.pages({ ...HISTORY, page: 2 }),
    // @ts-expect-error it takes no input
    referral.get({ code: 'x' }),
    // @ts-expect-error the region is required, because it is part of every key
    createQueries({ client, user: 'user-1' }),
    // @ts-expect-error the user is required, because it is part of every key
    createQueries({ client, region: 'us' }),
  ];
}

it('the functions above compile, with the errors that they expect', () => {
  expect([useQueriesInReact, queryClients, useMutationsInReact, inputs]).toHaveLength(4);
});
