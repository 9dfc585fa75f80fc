import * as react from '@tanstack/react-query';
import * as vue from '@tanstack/vue-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { effectScope, reactive } from 'vue';
import { setUp } from './set-up.js';

it('a React component renders what was prefetched, without another request', async () => {
  const { queries, mock } = setUp();
  const queryClient = new react.QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } });
  await queryClient.prefetchQuery(queries.card.status());
  function CardStatus() {
    const { data } = react.useSuspenseQuery(queries.card.status());
    const { isIdle } = react.useMutation(queries.wallets.credit.withdraw());
    return createElement('p', null, `${data.status} ${isIdle ? 'ready' : 'busy'}`);
  }
  const app = createElement(
    react.QueryClientProvider,
    { client: queryClient },
    createElement(CardStatus),
  );
  expect(renderToString(app)).toBe('<p>ACTIVE ready</p>');
  expect(mock.requests).toHaveLength(1);
});

it('a Vue composable, which clones the options, sends each withdrawal once', async () => {
  const { queries, balance } = setUp();
  const queryClient = new vue.QueryClient({
    defaultOptions: { mutations: { retry: 3, retryDelay: 0 } },
  });
  const scope = effectScope();
  // The types are those of React's query-core, of which this repository has another version.
  const options: object = queries.wallets.credit.withdraw();
  const withdrawal = scope.run(() =>
    vue.useMutation<unknown, Error, { amount: string }>(options, queryClient),
  );
  await withdrawal?.mutateAsync({ amount: '10' });
  await withdrawal?.mutateAsync({ amount: '10' });
  expect(balance()).toBe('980');
  scope.stop();
});

it('a resource works in the state of a Vue component, which wraps what it contains', async () => {
  const { client } = setUp();
  const state = reactive({ client, card: client.card, credit: client.wallets.credit });
  expect((await state.client.card.status()).status).toBe('ACTIVE');
  expect((await state.card.status()).status).toBe('ACTIVE');
  expect((await state.credit.get()).balance).toBe('1000');
  expect(Object.keys(client.card)).toEqual([]);
});
