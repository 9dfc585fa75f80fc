import type { DehydratedState } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { shouldDehydrateMutation } from '../../src/query/index.js';
import { LIBRARIES, naiveWithdrawal, settled, setUp } from './set-up.js';

const KEY = ['withdraw'];

/** A mutation that an earlier page stored while it was paused. */
function stored(mutationKey: readonly unknown[], meta?: Record<string, unknown>) {
  const state = {
    ...{ context: undefined, data: undefined, error: null, failureReason: null },
    ...{ failureCount: 0, isPaused: true, status: 'pending' as const, submittedAt: 1 },
    variables: { amount: '25' },
  };
  return { queries: [], mutations: [{ mutationKey, state, ...(meta && { meta }) }] };
}

describe.each(LIBRARIES)('a stored mutation, with TanStack Query for %s', (_, library) => {
  const { QueryClient, MutationObserver, dehydrate, hydrate } = library;

  /** Opens the page again: the app registers its mutation, and resumes what was stored. */
  async function openAgain(options: object, key: readonly unknown[], state: DehydratedState) {
    const queryClient = new QueryClient();
    queryClient.setMutationDefaults(key, options);
    hydrate(queryClient, state);
    await settled(queryClient.resumePausedMutations());
    return queryClient.getMutationCache().getAll()[0]?.state;
  }

  it('is sent when it is resumed, if it was written by hand (the hazard)', async () => {
    const { client, balance } = setUp();
    await openAgain(naiveWithdrawal(client), KEY, stored(KEY));
    expect(balance()).toBe('975');
  });

  it.each([
    ['by this page', undefined],
    ['by an earlier page', { cardPlatformPage: '0.earlier' }],
  ])('is refused when it is resumed, stored %s', async (_, meta) => {
    const { queries, balance, mock } = setUp();
    const options = queries.wallets.credit.withdraw();
    const state = await openAgain(options, options.mutationKey, stored(options.mutationKey, meta));
    expect(state?.error).toMatchObject({
      name: 'CardPlatformError',
      code: 'mutation_restored',
      outcome: 'unknown',
      operation: 'wallets.credit.withdraw',
      attempts: 0,
    });
    expect(mock.requests).toHaveLength(0);
    expect(balance()).toBe('1000');
  });

  it('is refused by its mark when the app replaced onMutate', async () => {
    const { queries, mock } = setUp();
    const options = { ...queries.wallets.credit.withdraw(), onMutate: () => 'replaced' };
    const earlier = { cardPlatformPage: '0.earlier' };
    const state = await openAgain(
      options,
      options.mutationKey,
      stored(options.mutationKey, earlier),
    );
    expect(state?.error).toMatchObject({ code: 'mutation_restored' });
    expect(mock.requests).toHaveLength(0);
  });

  it.each([
    ['mutationFn only', {}],
    ['an onMutate of the app', { onMutate: () => 'replaced' }],
  ])('is refused when the app replaced its mark and registered %s', async (_, replaced) => {
    const { queries, balance, mock } = setUp();
    const { mutationKey, mutationFn } = queries.wallets.credit.withdraw();
    const options = { mutationFn, ...replaced };
    const state = await openAgain(options, mutationKey, stored(mutationKey, { toast: 'Sending' }));
    expect(state?.error).toMatchObject({ code: 'mutation_restored', outcome: 'unknown' });
    expect(mock.requests).toHaveLength(0);
    expect(balance()).toBe('1000');
  });

  it('is sent when it was started in this page, although the app replaced mark and onMutate', async () => {
    const { queries, balance } = setUp();
    const replaced = { meta: { toast: 'Sending' }, onMutate: () => 'replaced' };
    const options = { ...queries.wallets.credit.withdraw(), ...replaced };
    await new MutationObserver(new QueryClient(), options).mutate({ amount: '25' });
    expect(balance()).toBe('975');
  });

  it('is refused after a real pause, dehydrate, JSON and hydrate', async () => {
    const { queries, mock } = setUp();
    // The app overrides networkMode on purpose, so the mutation pauses and is stored.
    const options = { ...queries.wallets.credit.withdraw(), networkMode: 'online' } as const;
    const first = new QueryClient();
    library.onlineManager.setOnline(false);
    void settled(new MutationObserver(first, options).mutate({ amount: '25' }));
    await expect.poll(() => first.getMutationCache().getAll()[0]?.state.isPaused).toBe(true);
    const copy: DehydratedState = JSON.parse(JSON.stringify(dehydrate(first)));
    first.clear();
    library.onlineManager.setOnline(true);
    const state = await openAgain(options, options.mutationKey, copy);
    expect(state?.error).toMatchObject({ code: 'mutation_restored' });
    expect(mock.requests).toHaveLength(0);
  });

  it('is not stored at all with shouldDehydrateMutation', async () => {
    const { queries } = setUp();
    const queryClient = new QueryClient({
      defaultOptions: { dehydrate: { shouldDehydrateMutation } },
    });
    const paused = { networkMode: 'online', scope: { id: 'one' } } as const;
    library.onlineManager.setOnline(false);
    const withdraw = { ...queries.wallets.credit.withdraw(), ...paused };
    const freeze = { ...queries.card.freeze(), ...paused };
    const unmarked = { ...withdraw, meta: { toast: 'Sending' } };
    const own = { mutationKey: ['own'], mutationFn: async () => 'done', ...paused };
    void settled(new MutationObserver(queryClient, withdraw).mutate({ amount: '25' }));
    void settled(new MutationObserver(queryClient, unmarked).mutate({ amount: '25' }));
    void settled(new MutationObserver(queryClient, freeze).mutate());
    void settled(new MutationObserver(queryClient, own).mutate());
    const states = () =>
      queryClient
        .getMutationCache()
        .getAll()
        .map((one) => one.state.isPaused);
    await expect.poll(states).toEqual([true, true, true, true]);
    const keys = dehydrate(queryClient).mutations.map((one) => one.mutationKey);
    expect(keys).toEqual([freeze.mutationKey, ['own']]);
    queryClient.clear();
    library.onlineManager.setOnline(true);
    // Like the library, it stores no mutation that is running or done.
    await new MutationObserver(queryClient, { mutationFn: async () => 'done' }).mutate();
    expect(dehydrate(queryClient).mutations).toEqual([]);
  });
});
