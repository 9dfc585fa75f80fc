import type { MutationCache } from '@tanstack/react-query';
import { afterEach, describe, expect, it } from 'vitest';
import { nextStepOf } from '../../src/index.js';
import { LIBRARIES, naiveWithdrawal, settled, setUp } from './set-up.js';

type Options = ReturnType<typeof naiveWithdrawal>;
type Scene = ReturnType<typeof setUp>;

/** How an app may configure the library for all of its mutations. */
const APP_DEFAULTS = [
  ['no defaults', {}],
  ['networkMode online', { networkMode: 'online' }],
  ['networkMode offlineFirst', { networkMode: 'offlineFirst' }],
  ['retry 3', { retry: 3, retryDelay: 0 }],
  ['a function for retry', { retry: (failures: number) => failures < 5, retryDelay: 0 }],
  ['one scope for all mutations', { scope: { id: 'one at a time' } }],
  ['retry 3, networkMode online and a scope', { retry: 3, retryDelay: 0, scope: { id: 'one' } }],
] as const;

/** Waits until everything that can happen without a network has happened. */
async function pausedOrSettled(cache: MutationCache): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      const [mutation] = cache.getAll();
      if (mutation?.state.isPaused || mutation?.state.status !== 'pending') resolve();
    };
    cache.subscribe(check);
    check();
  });
}

describe.each(LIBRARIES)('a withdrawal with TanStack Query for %s', (_, library) => {
  const { QueryClient, MutationObserver, onlineManager } = library;
  afterEach(() => onlineManager.setOnline(true));

  /** Presses the button without network. The network is back two hours later. */
  async function withdrawOffline({ mock, network }: Scene, options: Options, mutations = {}) {
    const queryClient = new QueryClient({ defaultOptions: { mutations } });
    queryClient.mount();
    network.isConnected = false;
    onlineManager.setOnline(false);
    const result = settled(new MutationObserver(queryClient, options).mutate({ amount: '25' }));
    await pausedOrSettled(queryClient.getMutationCache());
    mock.advance('2 hours');
    network.isConnected = true;
    onlineManager.setOnline(true);
    const value = await result;
    await queryClient.resumePausedMutations();
    queryClient.unmount();
    return value;
  }

  /** Presses the button once, and every response is lost after the money has moved. */
  async function withdrawWithLostResponses({ mock }: Scene, options: Options, mutations = {}) {
    const queryClient = new QueryClient({ defaultOptions: { mutations } });
    mock.drop('wallets.credit.withdraw', 'after-processing', { times: 10 });
    return settled(new MutationObserver(queryClient, options).mutate({ amount: '10' }));
  }

  describe('written by hand (the hazards)', () => {
    it('is sent two hours after the button was pressed offline', async () => {
      const scene = setUp();
      const start = scene.mock.now;
      const result = await withdrawOffline(scene, naiveWithdrawal(scene.client));
      expect(result).toHaveProperty('txHash');
      expect(scene.balance()).toBe('975');
      expect(scene.mock.now - start).toBe(2 * 60 * 60_000);
    });

    it('is sent four times when the app sets retry 3 and responses are lost', async () => {
      const scene = setUp();
      await withdrawWithLostResponses(scene, naiveWithdrawal(scene.client), {
        retry: 3,
        retryDelay: 0,
      });
      expect(scene.withdrawals()).toHaveLength(4);
      expect(scene.balance()).toBe('960');
    });
  });

  describe('with the options of this package', () => {
    it.each(APP_DEFAULTS)('is never sent later, with %s', async (_, defaults) => {
      const scene = setUp();
      const error = await withdrawOffline(scene, scene.queries.wallets.credit.withdraw(), defaults);
      expect(error).toMatchObject({ outcome: 'not_sent' });
      expect(nextStepOf(error)).toBe('retry');
      expect(scene.withdrawals()).toHaveLength(0);
      expect(scene.balance()).toBe('1000');
    });

    it.each(APP_DEFAULTS)('is sent once when responses are lost, with %s', async (_, defaults) => {
      const scene = setUp();
      const withdraw = scene.queries.wallets.credit.withdraw();
      const error = await withdrawWithLostResponses(scene, withdraw, defaults);
      expect(error).toMatchObject({ outcome: 'unknown' });
      expect(nextStepOf(error)).toBe('look_up');
      expect(scene.withdrawals()).toHaveLength(1);
      expect(scene.balance()).toBe('990');
    });

    it('can be sent again by pressing the button again', async () => {
      const scene = setUp();
      const observer = new MutationObserver(
        new QueryClient(),
        scene.queries.wallets.credit.withdraw(),
      );
      await observer.mutate({ amount: '10' });
      await Promise.all([observer.mutate({ amount: '10' }), observer.mutate({ amount: '10' })]);
      expect(scene.balance()).toBe('970');
    });
  });
});
