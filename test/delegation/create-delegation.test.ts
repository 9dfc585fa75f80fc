import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Delegation, DelegationSnapshot } from '../../src/delegation/create-delegation.js';
import type { DelegationLocks } from '../../src/delegation/runtime.js';
import type { KeyValueStore } from '../../src/stores/index.js';
import { createMockWallet } from '../../src/testing/wallets/index.js';
import { setUpWallet } from '../testing/wallets/support.js';
import { openTab, sharedLocks, sharedStore } from './support/tabs.js';

type AnyDelegation = Delegation<object, object | undefined>;
type Scene = Awaited<ReturnType<typeof setUpWallet>>;
type Tab = { isAlive: () => boolean; die(): void; create(more?: object): AnyDelegation };

const KINDS = ['evm', 'solana'] as const;
type Kind = (typeof KINDS)[number];

// Only the timers: the clock of the mock platform stands still by itself.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets what has no timer run, and then the time pass. */
async function pass(milliseconds = 0): Promise<void> {
  if (milliseconds > 0) await vi.advanceTimersByTimeAsync(milliseconds);
  for (let turn = 0; turn < 40; turn++) {
    await vi.advanceTimersByTimeAsync(0);
    // The checks of signatures run in threads of their own: one more in each waits for those before.
    await Promise.all([1, 2, 3, 4].map(() => crypto.subtle.digest('SHA-256', new Uint8Array(1))));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Lets everything run until something has happened. */
async function passUntil(hasHappened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 50 && !hasHappened(); turn++) await pass();
}

async function world(kind: Kind, isLocking = false) {
  const scene: Scene = await setUpWallet();
  const shared = sharedStore();
  const locks = sharedLocks();
  const { amount: _, ...options } = kind === 'evm' ? scene.evmOptions : scene.solanaOptions;
  const load = async () =>
    kind === 'evm' ? import('../../src/evm/index.js') : import('../../src/solana/index.js');
  const approvalKind = kind === 'evm' ? 'send-transaction' : 'sign-transaction';
  return {
    ...scene,
    kind,
    shared,
    options,
    /** The transactions that are on the chain or on their way. */
    sent: () => (kind === 'evm' ? scene.linea : scene.solana).transactions,
    /** Whether the store has a state. */
    hasState: () => textIn(shared.values).includes('"slot":'),
    recordKeys: () => [...shared.values.keys()].filter((key) => key.includes('.delegation.')),
    /** How often the wallet was asked for an approval. */
    approvals: () => scene.wallet.prompts.filter((prompt) => prompt.kind === approvalKind).length,
    signatures: () =>
      scene.wallet.prompts.filter((prompt) => prompt.kind === 'sign-message').length,
    async tab(store?: (open: KeyValueStore) => KeyValueStore): Promise<Tab> {
      const tab = await openTab(load);
      const create = tab.entry.createDelegation as unknown as (options: object) => AnyDelegation;
      const kept = shared.open(tab.isAlive);
      const own = isLocking
        ? { runtime: { ...scene.chains.runtime, locks: locks(tab.isAlive) } }
        : {};
      return {
        ...tab,
        create: (more = {}) =>
          create({ ...options, ...own, store: store?.(kept) ?? kept, ...more }),
      };
    },
  };
}

/** A store that fails to write while it is broken. */
const breakable =
  (isBroken: () => boolean) =>
  (store: KeyValueStore): KeyValueStore => ({
    ...store,
    update: async (key, change) => {
      if (isBroken()) throw new Error('disk full');
      return store.update(key, change);
    },
  });

/** The text of the record, with the parts of its slots put together. */
const textIn = (values: ReadonlyMap<string, string>) => [...values.values()].join('');

const settled = (work: Promise<unknown>) =>
  work.then(
    (value) => ({ value, error: undefined as unknown }),
    (error: unknown) => ({ value: undefined, error }),
  );

describe.each(KINDS)('a stored %s delegation', (kind) => {
  it('delegates, reports each step, and leaves nothing in the store', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const seen: DelegationSnapshot[] = [];
    const unsubscribe = delegation.subscribe(() => seen.push(delegation.getState()));
    expect(delegation.getState()).toMatchObject({ status: 'idle', message: '' });
    const result = await delegation.start({ amount: '100.5' });
    expect(result).toMatchObject({ registration: 'accepted', amount: '100.5' });
    expect(scene.registered()).toMatchObject([{ allowance: '100.5' }]);
    expect(scene.shared.values.size).toBe(0);
    expect(new Set(seen).size).toBe(seen.length);
    expect(delegation.getState()).toBe(seen.at(-1));
    expect(delegation.getState()).toMatchObject({
      status: 'done',
      message: 'Done: your card may spend up to 100.5 USDC.',
      needsUser: false,
      result: { amount: '100.5' },
    });
    expect(seen.filter(({ needsUser }) => needsUser).length).toBeGreaterThanOrEqual(2);
    expect(JSON.stringify(seen)).not.toMatch(/"(token|seal|signature|state)":/);
    unsubscribe();
    const count = seen.length;
    await delegation.start({ amount: '7' });
    expect(seen).toHaveLength(count);
  });

  it('keeps values below 2 kB under keys of plain characters', async () => {
    const { shared, tab } = await world(kind);
    await (await tab())
      .create({ statement: 'Let my card spend. '.repeat(9).trim() })
      .start({ amount: '100.5' });
    expect(Math.max(...shared.lengths)).toBeLessThan(2_048);
    expect([...shared.keys].every((key) => /^[a-z0-9._-]+$/.test(key))).toBe(true);
  });

  it('survives a reload after every change of the store, with one approval', async () => {
    let ends = 0;
    for (let changes = 1; changes < 200; changes++) {
      const scene = await world(kind);
      let left = changes;
      const first = await scene.tab((store) => {
        const count = <T>(result: T): T => {
          if (--left === 0) first.die();
          return result;
        };
        return {
          ...store,
          set: async (key, value) => count(await store.set(key, value)),
          update: async (key, change) => count(await store.update(key, change)),
        };
      });
      const page = first.create();
      page.start({ amount: '100.5' }).catch(() => undefined);
      await passUntil(() => left <= 0 || page.getState().status === 'done');
      await pass();
      if (left > 0) break;
      // The first page had finished, apart from its last words.
      if (scene.registered().length > 0 && !scene.hasState()) continue;
      // The next page knows nothing of the first, and clicks "start".
      const delegation = (await scene.tab()).create();
      const work = settled(delegation.start({ amount: '100.5' }));
      await pass(8_000);
      const { error } = await work;
      ends++;
      if (error !== undefined) {
        // The prompt of the first page may still be open: it is never asked for again.
        expect(error, `after ${changes} changes`).toMatchObject({ code: 'approval_unknown' });
        expect(delegation.getState()).toMatchObject({ status: 'failed', next: 'resume' });
      } else {
        expect(scene.registered()).toMatchObject([{ allowance: '100.5' }]);
        expect(scene.recordKeys()).toEqual([]);
      }
      expect(scene.sent().length, `after ${changes} changes`).toBeLessThanOrEqual(1);
    }
    expect(ends).toBeGreaterThan(15);
  }, 240_000);

  it('finishes an approval that a page left pending, whatever the next page asks for', async () => {
    const scene = await world(kind);
    const first = await scene.tab();
    const page = first.create();
    page.subscribe(() => page.getState().step === 'confirmed' && first.die());
    page.start({ amount: '100.5' }).catch(() => undefined);
    await passUntil(() => !first.isAlive());
    const delegation = (await scene.tab()).create();
    const work = settled(delegation.start({ amount: '7' }));
    await pass(8_000);
    expect((await work).error).toMatchObject({
      code: 'state_mismatch',
      fields: ['amount', 'allowance'],
    });
    expect(delegation.getState()).toMatchObject({ status: 'failed', next: 'resume' });
    expect(await delegation.resume(undefined)).toMatchObject({ amount: '100.5' });
    expect(scene.sent()).toHaveLength(1);
    expect(await delegation.start({ amount: '7' })).toMatchObject({ amount: '7' });
    expect(scene.sent()).toHaveLength(2);
  });

  it('waits for the coins of the faucet too if the user starts again with another amount', async () => {
    const scene = await world(kind);
    const [chain, { address }] =
      kind === 'evm' ? [scene.linea, scene.wallet.evm] : [scene.solana, scene.wallet.solana];
    chain.setBalance(address, 0n);
    const delegation = (await scene.tab()).create();
    const isWaiting = () => delegation.getState().message.startsWith('Waiting for the network fee');
    const unsubscribe = delegation.subscribe(() => isWaiting() && delegation.cancel());
    expect((await settled(delegation.start({ amount: '100.5' }))).error).toMatchObject({
      name: 'AbortError',
    });
    unsubscribe();
    delegation.subscribe(() => isWaiting() && chain.setBalance(address, 10n ** 18n));
    expect(await delegation.start({ amount: '7' })).toMatchObject({ amount: '7' });
    const asked = scene.mock.requests.matching({ path: /faucet=true/ });
    expect(asked).toHaveLength(1);
  });

  it('replaces an approval that is on the chain only if asked to, and never one that is pending', async () => {
    for (const step of ['confirmed', 'proof-submitted'] as const) {
      const scene = await world(kind);
      const first = await scene.tab();
      const { delegation: calls, wallets } = scene.client;
      const never = () => new Promise<never>(() => {});
      // The service never gets the proof of a page that was closed.
      const client = {
        wallets,
        delegation: {
          getToken: calls.getToken.bind(calls),
          chainConfig: calls.chainConfig.bind(calls),
          submitEvmApproval: never,
          submitSolanaApproval: never,
        },
      };
      const page = first.create({ client });
      page.subscribe(() => page.getState().step === step && first.die());
      page.start({ amount: '100.5' }).catch(() => undefined);
      await passUntil(() => !first.isAlive());
      const delegation = (await scene.tab()).create();
      const work = settled(delegation.start({ amount: '7', replace: true }));
      await pass(8_000);
      const { error } = await work;
      if (step === 'confirmed') expect(error).toMatchObject({ code: 'state_mismatch' });
      else expect(error).toBeUndefined();
      expect(scene.sent()).toHaveLength(step === 'confirmed' ? 1 : 2);
    }
  });

  it('asks again for an approval whose prompt was lost, once the user has looked', async () => {
    const scene = await world(kind);
    const first = await scene.tab();
    scene.wallet.holdNext().accept();
    const approval = scene.wallet.holdNext();
    first
      .create()
      .start({ amount: '100.5' })
      .catch(() => undefined);
    await approval.opened;
    await pass();
    first.die();
    const delegation = (await scene.tab()).create();
    const work = settled(delegation.start({ amount: '7' }));
    await pass(8_000);
    expect((await work).error).toMatchObject({ code: 'state_mismatch' });
    await delegation.start({ amount: '7', replace: true });
    expect(scene.registered()).toMatchObject([{ allowance: '7' }]);
    // The first page is gone, so what its wallet signs is not sent by anybody.
    expect(scene.sent()).toHaveLength(1);
  });

  it('does not lock a user who switches to another account', async () => {
    const scene = await world(kind);
    const first = await scene.tab();
    const page = first.create();
    page.subscribe(() => page.getState().step === 'confirmed' && first.die());
    page.start({ amount: '100.5' }).catch(() => undefined);
    await passUntil(() => !first.isAlive());
    const other = await createMockWallet({ platform: scene.mock });
    const wallet = kind === 'evm' ? other.evm : other.solana;
    const delegation = (await scene.tab()).create();
    await delegation.start({ amount: '7', wallet });
    expect(scene.registered()).toMatchObject([{ allowance: '7' }]);
    expect(await delegation.resume({ wallet })).toBeUndefined();
    // Back to the first account: its approval is still there to be finished.
    const work = settled(delegation.resume(undefined));
    await pass(8_000);
    expect((await work).value).toMatchObject({ amount: '100.5' });
    expect(scene.sent()).toHaveLength(2);
  });

  it('refuses a click with another account while the first one runs', async () => {
    const scene = await world(kind);
    const other = await createMockWallet({ platform: scene.mock });
    const delegation = (await scene.tab()).create();
    const sign = scene.wallet.holdNext();
    const first = delegation.start({ amount: '100.5' });
    const wallet = kind === 'evm' ? other.evm : other.solana;
    const second = settled(delegation.start({ amount: '100.5', wallet }));
    expect((await second).error).toMatchObject({ code: 'delegation_in_progress' });
    await sign.opened;
    sign.accept();
    await first;
    expect(other.prompts).toEqual([]);
  });

  it('drops a state without an approval when the amount differs, and signs again', async () => {
    const scene = await world(kind);
    const first = await scene.tab();
    scene.wallet.holdNext().accept();
    scene.wallet.declineNext();
    const { error } = await settled(first.create().start({ amount: '100.5' }));
    expect(error).toMatchObject({ code: 'user_rejected' });
    expect(textIn(scene.shared.values)).toContain('100.5');
    const result = await (await scene.tab()).create().start({ amount: '7' });
    expect(result).toMatchObject({ amount: '7' });
    expect(scene.registered()).toMatchObject([{ allowance: '7' }]);
  });

  it('uses the token and the signature of a page that was closed before the approval', async () => {
    const scene = await world(kind);
    scene.wallet.holdNext().accept();
    scene.wallet.declineNext();
    await settled((await scene.tab()).create().start({ amount: '100.5' }));
    expect(scene.signatures()).toBe(1);
    await (await scene.tab()).create().start({ amount: '100.5' });
    expect(scene.signatures()).toBe(1);
    expect(
      scene.mock.requests.filter(({ operation }) => operation === 'delegation.getToken'),
    ).toHaveLength(1);
  });

  it.each([
    ['Web Locks', true],
    ['only the store', false],
  ])('approves once when two tabs start at the same time with %s', async (_, isLocking) => {
    const scene = await world(kind, isLocking);
    const tabs = [await scene.tab(), await scene.tab()];
    const works = tabs.map((tab) => settled(tab.create().start({ amount: '100.5' })));
    await pass(8_000);
    await pass(60_000);
    const ends = await Promise.all(works);
    expect(scene.approvals()).toBe(1);
    expect(scene.signatures()).toBe(1);
    const failed = ends.filter(({ error }) => error !== undefined);
    expect(failed).toMatchObject([{ error: { code: 'delegation_in_progress' } }]);
    expect(scene.registered()).toMatchObject([{ allowance: '100.5' }]);
  });

  it('notices a tab that died, and continues what it left', async () => {
    for (const isLocking of [true, false]) {
      const scene = await world(kind, isLocking);
      const first = await scene.tab();
      const sign = scene.wallet.holdNext();
      first
        .create()
        .start({ amount: '100.5' })
        .catch(() => undefined);
      await sign.opened;
      first.die();
      sign.accept();
      await pass();
      const work = settled((await scene.tab()).create().start({ amount: '100.5' }));
      // The lock of a closed tab is free at once. Without locks, its record stands still.
      if (!isLocking) {
        await pass(4_000);
        expect(scene.approvals()).toBe(0);
        await pass(4_000);
      }
      await pass();
      expect((await work).error).toBeUndefined();
      expect(scene.approvals()).toBe(1);
    }
  });

  async function requireOneAtATime(scene: Awaited<ReturnType<typeof world>>): Promise<void> {
    const sign = scene.wallet.holdNext();
    const first = settled((await scene.tab()).create().start({ amount: '100.5' }));
    await sign.opened;
    const second = settled((await scene.tab()).create().start({ amount: '100.5' }));
    await pass(20_000);
    expect((await second).error).toMatchObject({ code: 'delegation_in_progress' });
    sign.accept();
    await pass();
    expect((await first).error).toBeUndefined();
    expect(scene.approvals()).toBe(1);
  }

  it('waits for no other tab longer than it is alive, and never takes over from one that is', async () => {
    await requireOneAtATime(await world(kind));
  });

  it('takes over from no other process, whose locks this one cannot see', async () => {
    const scene = await world(kind);
    // Each process of a server has locks of its own, so it gets every lock at once.
    const request = (...[, , run]: Parameters<DelegationLocks['request']>) => run({});
    vi.stubGlobal('navigator', { locks: { request } });
    try {
      await requireOneAtATime(scene);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it('sends nothing in a tab that was frozen until another one took over', async () => {
    const scene = await world(kind);
    let isFrozen = false;
    const thawed: (() => void)[] = [];
    const first = await scene.tab((store) => {
      const wait = () =>
        isFrozen ? new Promise<void>((resolve) => thawed.push(resolve)) : Promise.resolve();
      return {
        get: (key) => wait().then(() => store.get(key)),
        set: (key, value) => wait().then(() => store.set(key, value)),
        delete: (key) => wait().then(() => store.delete(key)),
        update: (key, change) => wait().then(() => store.update(key, change)),
      };
    });
    const sign = scene.wallet.holdNext();
    const frozen = settled(first.create().start({ amount: '100.5' }));
    await sign.opened;
    isFrozen = true;
    const second = settled((await scene.tab()).create().start({ amount: '100.5' }));
    await pass(8_000);
    await pass();
    expect((await second).error).toBeUndefined();
    isFrozen = false;
    for (const thaw of thawed) thaw();
    sign.accept();
    await pass();
    expect((await frozen).error).toMatchObject({ code: 'delegation_in_progress' });
    expect(scene.approvals()).toBe(1);
  });

  it.each([
    'get',
    'set',
    'update',
  ] as const)('asks the wallet for no approval when the store fails in %s', async (operation) => {
    const scene = await world(kind);
    let isBroken = false;
    const tab = await scene.tab((store) => ({
      ...store,
      [operation]: async (...args: never[]) => {
        if (isBroken) throw new Error('disk full: secret');
        return (store[operation] as (...all: never[]) => unknown)(...args);
      },
    }));
    const delegation = tab.create();
    const sign = scene.wallet.holdNext();
    const work = settled(delegation.start({ amount: '100.5' }));
    if (operation !== 'get') await sign.opened;
    isBroken = true;
    sign.accept();
    await pass();
    const { error } = await work;
    if (operation === 'get') {
      // A flow that has begun need not read.
      isBroken = true;
      const { error: later } = await settled(delegation.start({ amount: '100.5' }));
      expect(later).toMatchObject({ code: 'delegation_not_saved', outcome: 'not_sent' });
      return;
    }
    expect(error).toMatchObject({ code: 'delegation_not_saved', outcome: 'not_sent' });
    expect(String(error)).not.toContain('secret');
    expect(scene.approvals()).toBe(0);
    expect(delegation.getState()).toMatchObject({ status: 'failed', next: 'retry' });
    isBroken = false;
    await delegation.start({ amount: '100.5' });
    expect(scene.approvals()).toBe(1);
  });

  it('finishes although the store fails after the approval', async () => {
    const scene = await world(kind);
    let isBroken = false;
    const delegation = (await scene.tab(breakable(() => isBroken))).create();
    delegation.subscribe(() => {
      if (delegation.getState().step === 'confirmed') isBroken = true;
    });
    await delegation.start({ amount: '100.5' });
    expect(isBroken).toBe(true);
    expect(scene.registered()).toMatchObject([{ allowance: '100.5' }]);
    isBroken = false;
    // What is left in the store is found out to be done, at the latest when the user continues.
    const next = (await scene.tab()).create();
    const work = settled(next.start({ amount: '100.5' }));
    await pass(8_000);
    const { error } = await work;
    expect(error).toMatchObject({ status: 422 });
    expect(next.getState()).toMatchObject({ status: 'failed', next: 'resume' });
    expect(await next.resume(undefined)).toMatchObject({ amount: '100.5' });
    expect(scene.registered()).toMatchObject([{ allowance: '100.5' }]);
    expect(scene.sent()).toHaveLength(1);
  });

  it('joins a second click, and refuses another amount meanwhile', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const sign = scene.wallet.holdNext();
    const first = delegation.start({ amount: '100.5' });
    const second = delegation.start({ amount: '100.5' });
    const other = settled(delegation.start({ amount: '7' }));
    await sign.opened;
    expect((await other).error).toMatchObject({ code: 'delegation_in_progress' });
    expect(delegation.getState().status).toBe('running');
    sign.accept();
    expect(await second).toBe(await first);
    expect(scene.approvals()).toBe(1);
  });

  it('joins a click whose options are in another order', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const input = { statement: 'Let my card spend', amount: '100.5' };
    const first = delegation.start(input);
    const second = delegation.start(Object.fromEntries(Object.entries(input).reverse()));
    expect(await second).toBe(await first);
    expect(scene.approvals()).toBe(1);
  });

  it('calls a listener once for each of its subscriptions', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const seen: DelegationSnapshot[] = [];
    const listener = () => seen.push(delegation.getState());
    const [unsubscribe] = [delegation.subscribe(listener), delegation.subscribe(listener)];
    const done = delegation.start({ amount: '100.5' });
    expect(seen).toHaveLength(2);
    unsubscribe?.();
    await done;
    const later = seen.slice(2);
    expect(later.length).toBeGreaterThan(2);
    expect(new Set(later).size).toBe(later.length);
    expect(later.at(-1)).toMatchObject({ status: 'done' });
  });

  it('shows nothing of an earlier start once another one has begun', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const running = {
      status: 'running',
      message: 'Preparing the delegation.',
      step: undefined,
      position: 0,
      total: 0,
      needsUser: false,
      transactionId: undefined,
      next: undefined,
      error: undefined,
      result: undefined,
    };
    scene.wallet.holdNext().decline();
    await settled(delegation.start({ amount: '100.5' }));
    expect(delegation.getState()).toMatchObject({ status: 'failed' });
    expect(delegation.getState().error).toBeDefined();
    const second = delegation.start({ amount: '100.5' });
    expect(delegation.getState()).toEqual(running);
    await second;
    expect(delegation.getState()).toMatchObject({ status: 'done', result: { amount: '100.5' } });
    const third = delegation.start({ amount: '7' });
    expect(delegation.getState()).toEqual(running);
    await third;
  });

  it('asks the wallet for no approval once it is cancelled while it saves', async () => {
    const scene = await world(kind);
    let isCancelled = false;
    const tab = await scene.tab((store) => ({
      ...store,
      async set(key, value) {
        if (!isCancelled && value.includes('"status":"requested"')) {
          isCancelled = true;
          delegation.cancel();
        }
        await store.set(key, value);
      },
    }));
    const delegation = tab.create();
    const { error } = await settled(delegation.start({ amount: '100.5' }));
    expect(error).toMatchObject({ name: 'AbortError' });
    await pass();
    expect(scene.signatures()).toBe(1);
    expect(scene.approvals()).toBe(0);
    expect(await delegation.start({ amount: '100.5' })).toMatchObject({ amount: '100.5' });
  });

  it('stops when cancelled, and continues with the next start', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const sign = scene.wallet.holdNext();
    const work = settled(delegation.start({ amount: '100.5' }));
    await sign.opened;
    delegation.cancel();
    expect((await work).error).toMatchObject({ name: 'AbortError' });
    expect(delegation.getState()).toMatchObject({
      status: 'idle',
      next: 'retry',
      error: undefined,
    });
    sign.decline();
    await pass();
    await delegation.start({ amount: '100.5' });
    expect(scene.approvals()).toBe(1);
  });

  /** Leaves an approval on the chain that a page has not finished: it was closed, without a lock. */
  async function leaveApproval(scene: Awaited<ReturnType<typeof world>>): Promise<void> {
    const first = await scene.tab();
    const page = first.create();
    page.subscribe(() => page.getState().step === 'confirmed' && first.die());
    page.start({ amount: '100.5' }).catch(() => undefined);
    await passUntil(() => !first.isAlive());
  }

  it.each([
    ['start', 'retry'],
    ['resume', 'resume'],
  ] as const)('can be started when %s was stopped while the spender was confirmed', async (call, next) => {
    const scene = await world(kind);
    let isAsking = false;
    const confirmSpender = () => {
      isAsking = true;
      return new Promise<never>(() => {});
    };
    const delegation = (await scene.tab()).create({ spender: 'chain-config' });
    const work = settled(delegation[call]({ amount: '100.5', confirmSpender }));
    await passUntil(() => isAsking);
    delegation.cancel();
    expect((await work).error).toMatchObject({ name: 'AbortError' });
    expect(delegation.getState()).toMatchObject({ status: 'idle', next });
    // There is nothing to resume, so that the page shows its first button again.
    if (next === 'resume') {
      expect(await delegation.resume({ confirmSpender: () => true })).toBeUndefined();
    }
    await delegation.start({ amount: '100.5', confirmSpender: () => true });
    expect(scene.approvals()).toBe(1);
  });

  it('starts when the dialog that confirms the spender was closed', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create({ spender: 'chain-config' });
    const confirmSpender = () => Promise.reject(new DOMException('closed', 'AbortError'));
    await settled(delegation.start({ amount: '100.5', confirmSpender }));
    expect(delegation.getState()).toMatchObject({ status: 'failed', next: 'retry' });
    await delegation.start({ amount: '100.5', confirmSpender: () => true });
    expect(scene.approvals()).toBe(1);
  });

  it('continues a saved approval after a stop before it was read', async () => {
    const scene = await world(kind);
    await leaveApproval(scene);
    const delegation = (await scene.tab()).create();
    // A start does not read what is saved until it runs, so it cannot know of the approval.
    const started = settled(delegation.start({ amount: '7' }));
    await pass(1_000);
    delegation.cancel();
    expect((await started).error).toMatchObject({ name: 'AbortError' });
    expect(delegation.getState()).toMatchObject({ status: 'idle', next: 'retry' });
    const retried = settled(delegation.start({ amount: '7' }));
    await pass(8_000);
    expect((await retried).error).toMatchObject({ code: 'state_mismatch' });
    expect(delegation.getState()).toMatchObject({ status: 'failed', next: 'resume' });
    expect(await delegation.resume(undefined)).toMatchObject({ amount: '100.5' });
    expect(scene.sent()).toHaveLength(1);
  });

  it('continues what resume has found when it was stopped', async () => {
    const scene = await world(kind);
    await leaveApproval(scene);
    const delegation = (await scene.tab()).create();
    const resumed = settled(delegation.resume(undefined));
    await pass(1_000);
    delegation.cancel();
    expect((await resumed).error).toMatchObject({ name: 'AbortError' });
    expect(delegation.getState()).toMatchObject({ status: 'idle', next: 'resume' });
    const again = settled(delegation.resume(undefined));
    await pass(8_000);
    expect((await again).value).toMatchObject({ amount: '100.5' });
    expect(scene.sent()).toHaveLength(1);
  });

  it('starts again after a call whose effect is not known, if nothing was saved', async () => {
    const scene = await world(kind);
    const redirect = scene.mock.serve('GET', '/v1/delegation/token', () => ({
      status: 302,
      headers: { location: 'https://portal.example/' },
    }));
    const delegation = (await scene.tab()).create();
    const { error } = await settled(delegation.start({ amount: '100.5' }));
    expect(error).toMatchObject({ code: 'redirect_refused', next: 'look_up' });
    expect(scene.hasState()).toBe(false);
    expect(delegation.getState()).toMatchObject({
      status: 'failed',
      message: 'We cannot be reached right now. Continue in a moment.',
      next: 'retry',
    });
    redirect.remove();
    await delegation.start({ amount: '100.5' });
    expect(scene.approvals()).toBe(1);
  });

  it('starts at once after it was cancelled, as an effect does that a page runs twice', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const first = settled(delegation.start({ amount: '100.5' }));
    delegation.cancel();
    const second = settled(delegation.start({ amount: '100.5' }));
    expect(delegation.getState()).toMatchObject({ status: 'running', next: undefined });
    expect((await first).error).toMatchObject({ name: 'AbortError' });
    expect((await second).value).toMatchObject({ amount: '100.5' });
    expect(delegation.getState()).toMatchObject({ status: 'done' });
    expect(scene.approvals()).toBe(1);
  });

  it('stops a start that waits for one that was cancelled', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    const works = [settled(delegation.start({ amount: '100.5' }))];
    for (const amount of ['100.5', '7']) {
      delegation.cancel();
      works.push(settled(delegation.start({ amount })));
    }
    const [first, second, third] = await Promise.all(works);
    expect([first?.error, second?.error]).toMatchObject([
      { name: 'AbortError' },
      { name: 'AbortError' },
    ]);
    expect(third?.value).toMatchObject({ amount: '7' });
    expect(scene.approvals()).toBe(1);
  });

  it('keeps what the wallet answers after the flow was cancelled', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    scene.wallet.holdNext().accept();
    const approval = scene.wallet.holdNext();
    const work = settled(delegation.start({ amount: '100.5' }));
    await approval.opened;
    delegation.cancel();
    await work;
    approval.decline();
    await pass();
    // The user has declined, so the next click may ask again.
    await (await scene.tab()).create().start({ amount: '7' });
    expect(scene.registered()).toMatchObject([{ allowance: '7' }]);
  });

  it('resumes nothing where there is nothing', async () => {
    const scene = await world(kind);
    const delegation = (await scene.tab()).create();
    expect(await delegation.resume(undefined)).toBeUndefined();
    expect(delegation.getState().status).toBe('idle');
    expect(scene.wallet.prompts).toEqual([]);
  });

  it('is not locked by a record that cannot be read, once the user says so', async () => {
    const scene = await world(kind);
    scene.wallet.holdNext().accept();
    scene.wallet.declineNext();
    await settled((await scene.tab()).create().start({ amount: '100.5' }));
    for (const damage of [
      (text: string) => text.replace(/"nonce":"./, '"nonce":"x'),
      (text: string) => text.slice(0, 40),
      () => 'not JSON',
    ]) {
      const before = new Map(scene.shared.values);
      for (const [key, value] of before) scene.shared.values.set(key, damage(value));
      const delegation = (await scene.tab()).create();
      for (const run of [
        () => delegation.start({ amount: '100.5' }),
        () => delegation.resume(undefined),
      ]) {
        expect((await settled(run())).error).toMatchObject({ code: 'state_mismatch' });
        expect(delegation.getState().next).toBe('replace');
      }
      for (const [key, value] of before) scene.shared.values.set(key, value);
    }
    for (const key of scene.shared.values.keys()) scene.shared.values.set(key, 'not JSON');
    await (await scene.tab()).create().start({ amount: '100.5', replace: true });
    expect(scene.approvals()).toBe(2);
  });

  it('keeps the delegations of several users apart', async () => {
    const scene = await world(kind);
    scene.wallet.holdNext().accept();
    scene.wallet.declineNext();
    await settled((await scene.tab()).create({ user: 'ada' }).start({ amount: '100.5' }));
    const tab = await scene.tab();
    expect(await tab.create({ user: 'bob' }).resume(undefined)).toBeUndefined();
    expect(await tab.create({ user: 'ada' }).resume(undefined)).toMatchObject({ amount: '100.5' });
  });

  it('keeps its progress in IndexedDB by default, and says so where there is none', async () => {
    const { tab, wallet } = await world(kind);
    const delegation = (await tab()).create({ store: undefined });
    const { error } = await settled(delegation.start({ amount: '100.5' }));
    expect(error).toMatchObject({ code: 'configuration_invalid', option: 'store' });
    const opened: unknown[] = [];
    const open = (name: string) => {
      opened.push(name);
      throw new Error('the disk is full');
    };
    vi.stubGlobal('indexedDB', { open });
    const failed = await settled(delegation.start({ amount: '100.5' }));
    vi.unstubAllGlobals();
    expect(failed.error).toMatchObject({ code: 'delegation_not_saved', outcome: 'not_sent' });
    expect(opened).toContain('card-platform-sdk');
    expect(wallet.prompts).toEqual([]);
  });

  it('refuses a store that lacks a function, and options of the wrong kind', async () => {
    const { tab } = await world(kind);
    const { create } = await tab();
    expect(() => create({ store: { get() {} } as never })).toThrow('set, delete, update');
    expect(() => create({ user: 5 })).toThrow('user');
    const { error } = await settled(create().start({ amount: '1', replace: 'yes' }));
    expect(error).toMatchObject({ code: 'request_invalid' });
  });
});

it('a stored evm delegation finishes although the store fails while the wallet sends', async () => {
  const scene = await world('evm');
  let isBroken = false;
  const delegation = (await scene.tab(breakable(() => isBroken))).create();
  scene.wallet.holdNext().accept();
  const approval = scene.wallet.holdNext();
  const work = delegation.start({ amount: '100.5' });
  await approval.opened;
  isBroken = true;
  approval.accept();
  expect(await work).toMatchObject({ registration: 'accepted' });
  expect(scene.registered()).toMatchObject([{ allowance: '100.5' }]);
  expect(scene.sent()).toHaveLength(1);
});
