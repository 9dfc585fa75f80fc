import { type QueryClient, useInfiniteQuery, useMutation, useQuery } from '@tanstack/vue-query';
import type { Card, CreditWithdrawal, WalletTransaction } from 'card-platform-sdk';
import type { Queries } from 'card-platform-sdk/query';
import type { Ref } from 'vue';

// Compiled by query-vue.slow.test.ts, as in an app that has only the Vue adapter.

const HISTORY = { walletId: 'w', walletType: 'CREDIT' } as const;

export function useQueriesInVue({ card, wallets }: Queries): unknown {
  const { data, suspense } = useQuery(card.status());
  const maybe: Ref<Card | undefined> = data;
  // @ts-expect-error the card is not there while it is read
  const certain: Ref<Card> = data;
  const { data: status } = useQuery({ ...card.status(), select: (one) => one.status });
  const selected: Ref<Card['status'] | undefined> = status;
  const reactive = useQuery(() => ({ ...card.status(), enabled: false }));
  const { data: history } = useInfiniteQuery(wallets.history.pages(HISTORY));
  const page: readonly WalletTransaction[] | undefined = history.value?.pages[0];
  return [maybe, certain, selected, page, reactive.data.value?.status, suspense()];
}

export async function queryClients(client: QueryClient, { card, wallets }: Queries) {
  await client.prefetchQuery(card.status());
  const fetched: Card = await client.fetchQuery(card.status());
  const known = client.getQueryData(card.status().queryKey);
  const cached: Card | undefined = known;
  // @ts-expect-error a card is not a list
  const wrong: readonly Card[] | undefined = known;
  const pages = client.getQueryData(wallets.history.pages(HISTORY).queryKey);
  const page: readonly WalletTransaction[] | undefined = pages?.pages[0];
  return [fetched, cached, wrong, page];
}

export function useMutationsInVue({ card, wallets }: Queries): unknown {
  const { mutateAsync, mutate } = useMutation(wallets.credit.withdraw());
  const result: Promise<CreditWithdrawal> = mutateAsync({ amount: '25' });
  const { mutate: unfreeze } = useMutation(card.unfreeze());
  // @ts-expect-error an amount is a decimal string
  mutate({ amount: 25 });
  // @ts-expect-error a withdrawal is not a query
  useQuery(wallets.credit.withdraw());
  return [result, unfreeze()];
}
