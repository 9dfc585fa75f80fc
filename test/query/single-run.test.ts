import { describe, expect, it, vi } from 'vitest';
import { nextStepOf } from '../../src/index.js';
import { LIBRARIES, settled, setUp } from './set-up.js';

const INPUT = { amount: '10' };

describe.each(
  LIBRARIES,
)('a mutation that may run once, with TanStack Query for %s', (_, library) => {
  const { QueryClient, MutationObserver } = library;

  it('sends one request when the app overrides retry, and keeps the outcome', async () => {
    const { queries, mock, withdrawals, balance } = setUp();
    mock.drop('wallets.credit.withdraw', 'after-processing', { times: 10 });
    const options = { ...queries.wallets.credit.withdraw(), retry: 3, retryDelay: 0 };
    const observer = new MutationObserver(new QueryClient(), options);
    const error = await settled(observer.mutate(INPUT));
    expect(observer.getCurrentResult().failureCount).toBe(4);
    expect(nextStepOf(error)).toBe('look_up');
    expect(withdrawals()).toHaveLength(1);
    expect(balance()).toBe('990');
  });

  it('sends one request when the same mutation is executed twice', async () => {
    const { queries, mock, withdrawals } = setUp();
    mock.drop('wallets.credit.withdraw', 'after-processing', { times: 10 });
    const queryClient = new QueryClient();
    const cache = queryClient.getMutationCache();
    const mutation = cache.build(queryClient, queries.wallets.credit.withdraw());
    const first = await settled(mutation.execute(INPUT));
    expect(await settled(mutation.execute(INPUT))).toBe(first);
    expect(withdrawals()).toHaveLength(1);
  });

  it('sends one request when the same mutation is executed while it runs', async () => {
    const { queries, withdrawals } = setUp();
    const queryClient = new QueryClient();
    const cache = queryClient.getMutationCache();
    const mutation = cache.build(queryClient, queries.wallets.credit.withdraw());
    await Promise.all([mutation.execute(INPUT), settled(mutation.execute(INPUT))]);
    expect(withdrawals()).toHaveLength(1);
  });

  it('runs each of two mutations that share options and variables', async () => {
    const { queries, withdrawals } = setUp();
    const queryClient = new QueryClient();
    const observer = new MutationObserver(queryClient, queries.wallets.credit.withdraw());
    await Promise.all([observer.mutate(INPUT), observer.mutate(INPUT)]);
    expect(withdrawals()).toHaveLength(2);
  });

  it('works with an onMutate of the app, in the options and as a default', async () => {
    const { queries, withdrawals } = setUp();
    const onMutate = vi.fn(() => 'kept');
    const queryClient = new QueryClient({ defaultOptions: { mutations: { onMutate } } });
    const options = queries.wallets.credit.withdraw();
    const byDefault = new MutationObserver(queryClient, options);
    await byDefault.mutate(INPUT);
    expect(byDefault.getCurrentResult().context).toBe('kept');
    await new MutationObserver(queryClient, { ...options, onMutate }).mutate(INPUT);
    queryClient.setMutationDefaults(options.mutationKey, options);
    await new MutationObserver(queryClient, options).mutate(INPUT);
    expect(onMutate).toHaveBeenCalledTimes(2);
    expect(withdrawals()).toHaveLength(3);
  });

  it('works when the app wraps the function, with or without the context', async () => {
    const { queries, withdrawals } = setUp();
    const options = queries.wallets.credit.withdraw();
    const { mutationFn } = options;
    const queryClient = new QueryClient();
    const wrapped = {
      ...options,
      mutationFn: (input: { amount: string }, context: object) => mutationFn(input, context),
      onMutate: () => 'replaced',
    };
    await new MutationObserver(queryClient, wrapped).mutate(INPUT);
    await new MutationObserver(queryClient, { mutationFn }).mutate(INPUT);
    await mutationFn(INPUT);
    expect(withdrawals()).toHaveLength(3);
  });
});
