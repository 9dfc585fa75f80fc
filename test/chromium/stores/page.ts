import { CardPlatformClient, type KeyValueStore, outcomeOf } from '../../../src/index.js';
import { createJournal } from '../../../src/journal/index.js';
import { createSessions } from '../../../src/sessions/index.js';
import { indexedDbStore } from '../../../src/stores/index.js';
import { systemClock } from '../../../src/transport/attempts/clock.js';
import { plusOne } from './plus-one.js';
import type { Count } from './worker.js';

// One of two tabs of an app. The test says what it does.
const underLock = <T>(work: () => T) => navigator.locks.request('store', work);

const STORES = {
  indexedDB: indexedDbStore(),
  /** What a Web Lock would have to make safe. */
  localStorage: {
    get: (key) => underLock(() => localStorage.getItem(key)),
    set: (key, value) => underLock(() => localStorage.setItem(key, value)),
    delete: (key) => underLock(() => localStorage.removeItem(key)),
    update: (key, change) =>
      underLock(() => {
        const next = change(localStorage.getItem(key) ?? undefined);
        if (next === undefined) localStorage.removeItem(key);
        else localStorage.setItem(key, next);
      }),
  },
} satisfies Record<string, KeyValueStore>;

const store = STORES.indexedDB;

const client = new CardPlatformClient({
  baseUrl: location.origin,
  throughProxy: true,
  journal: createJournal({ store, user: 'ada' }),
});

let ahead = 0;
const sessionOptions = {
  store,
  clock: { ...systemClock, now: () => Date.now() + ahead },
  renew: async ({ takeRefreshToken }: { takeRefreshToken(): Promise<string | undefined> }) => {
    const sent = await takeRefreshToken();
    const response = await fetch('/renew', { method: 'POST', body: sent ?? '' });
    const next = await response.text();
    return { accessToken: `token-${next}`, refreshToken: `refresh-${next}` };
  },
};
const SESSIONS = {
  'with Web Locks': createSessions({ ...sessionOptions, key: 'with-locks' }),
  'without Web Locks': createSessions({ ...sessionOptions, key: 'without-locks', locks: false }),
};

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Counts in two workers, and ends both at any moment. Returns what a later reader finds. */
async function killWorkers(key: string) {
  const progress = new Int32Array(new SharedArrayBuffer(8));
  const workers = [new Worker('/worker.js'), new Worker('/worker.js')];
  const task: Count = { key, changes: Number.MAX_SAFE_INTEGER, progress };
  for (const worker of workers) worker.postMessage(task);
  while (Atomics.load(progress, 0) === 0) await wait(1);
  await wait(Math.random() * 12);
  for (const worker of workers) worker.terminate();
  // A terminated worker may run a moment longer.
  let [begun, done] = [0, 0];
  while (begun !== progress[0] || done !== progress[1]) {
    [begun, done] = [progress[0] ?? 0, progress[1] ?? 0];
    await wait(2);
  }
  const kept = Number((await store.get(key)) ?? 0);
  await store.update(key, plusOne);
  const isUsable = (await store.get(key)) === String(kept + 1);
  await store.delete(key);
  return { begun, done, kept, isUsable };
}

const ACTIONS = {
  async count(name: keyof typeof STORES, key: string, changes: number) {
    for (let change = 0; change < changes; change++) await STORES[name].update(key, plusOne);
  },
  async countForEver(key: string) {
    for (let done = 1; ; done++) {
      await store.update(key, plusOne);
      console.log(String(done));
    }
  },
  read: (name: keyof typeof STORES, key: string) => STORES[name].get(key),
  async withdraw(amount: string, at: number) {
    await wait(at - Date.now());
    return client.wallets.credit.withdraw({ amount }).then(() => 'done', outcomeOf);
  },
  pending: async () => (await client.journal.pending()).map(({ details }) => details['amount']),
  operations: async () => (await client.journal.pending()).map(({ operation }) => operation),
  async settle() {
    for (const entry of await client.journal.pending()) {
      await client.journal.remove(entry, 'not_executed');
    }
  },
  signIn: (name: keyof typeof SESSIONS) =>
    SESSIONS[name].signIn(
      { accessToken: 'token-0', refreshToken: 'refresh-0', userId: 'ada' },
      { region: 'global' },
    ),
  async token(name: keyof typeof SESSIONS, hoursAhead: number) {
    ahead = hoursAhead * 3_600_000;
    return (await SESSIONS[name].load()).session?.accessToken({ reason: 'request' });
  },
  async countInWorkers(key: string, changes: number) {
    const task: Count = { key, changes };
    const registration = await navigator.serviceWorker.register('/worker.js');
    const { active } = await navigator.serviceWorker.ready;
    const worker = new Worker('/worker.js');
    const both = [
      new Promise((resolve) => {
        worker.onmessage = resolve;
      }),
      new Promise((resolve) => {
        navigator.serviceWorker.onmessage = resolve;
      }),
    ];
    worker.postMessage(task);
    active?.postMessage(task);
    await Promise.all([...both, ACTIONS.count('indexedDB', key, changes)]);
    worker.terminate();
    await registration.unregister();
  },
  async killWorkers(runs: number, key: string) {
    let killed = 0;
    for (let run = 0; run < runs; run++) {
      const { begun, done, kept, isUsable } = await killWorkers(`${key}-${run}`);
      if (!isUsable || kept < done || kept > begun) {
        return { killed, wrong: { run, begun, done, kept, isUsable } };
      }
      killed += 2;
    }
    return { killed };
  },
};

/** What a test may ask a tab. */
export type TabActions = typeof ACTIONS;

(globalThis as unknown as { actions: TabActions }).actions = ACTIONS;
