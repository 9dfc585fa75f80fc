import { expect, it } from 'vitest';
import type { CardPlatformClient, KeyValueStore, PlatformPromise } from '../../src/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { FakeClock } from '../support/fake-clock.js';
import { MapStore } from '../support/map-store.js';
import { debit, loseRequest, setUpScripted, WITHDRAWAL, withHistory } from './scripted-reads.js';
import { clientOf, platformWithUser } from './support.js';

const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

/** A store whose writes take a while, and what was done with it, in order. */
function slowStore(inner: MapStore, isHeld: (key: string) => Promise<unknown> = () => turns(3)) {
  const log: string[] = [];
  const store: KeyValueStore = {
    get(key) {
      log.push('read');
      return inner.get(key);
    },
    set: (key, value) => void inner.set(key, value),
    delete: (key) => void inner.delete(key),
    async update(key, change) {
      log.push('write begins');
      await isHeld(key);
      inner.update(key, change);
      log.push('write ends');
    },
  };
  return { store, log };
}

it('a login ends when it is written whose token it is: the next entry must name its user', async () => {
  const { mock, user } = platformWithUser();
  const inner = new MapStore();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { store } = slowStore(inner, async (key) => key.includes('.users.') && held);
  const client = clientOf(mock, user, store);
  let hasEnded = false;
  const { email, password } = user;
  const login = client.auth.login({ email, password }).then(() => {
    hasEnded = true;
  });
  await turns();
  expect(hasEnded).toBe(false);
  release();
  await login;
  const known = [...inner].filter(([key]) => key.startsWith('card-platform.journal.users.'));
  expect(known).toEqual([[expect.any(String), expect.stringContaining(user.id)]]);
  expect(await client.journal.pending()).toEqual([]);
});

it('a lookup reads what was written only when the write before it has ended', async () => {
  const inner = new MapStore();
  const { store, log } = slowStore(inner);
  const scene = {
    ...setUpScripted(withHistory([debit()]), {}, { store }),
    store: inner,
  };
  const entry = await loseRequest(scene, WITHDRAWAL);
  log.length = 0;
  await scene.client.journal.reconcile(entry);
  expect(log).toContain('write begins');
  // The last write, of what the lookup found, ends before the verdict is there.
  expect(log.at(-1)).toBe('write ends');
  for (const [index, event] of log.entries()) {
    if (event === 'write begins') expect(log[index + 1]).toBe('write ends');
  }
});

it('a call waits two seconds for the removal of its entry, and no longer', async () => {
  const { mock, user } = platformWithUser();
  const inner = new MapStore();
  let hangs = false;
  const { store } = slowStore(inner, () => (hangs ? new Promise(() => {}) : Promise.resolve()));
  const clock = new FakeClock({ startsAt: mock.now, auto: false });
  const fetch: typeof mock.fetch = (...request) => {
    hangs = true;
    return mock.fetch(...request);
  };
  const client = clientOf(mock, user, store, { clock, fetch });
  let hasEnded = false;
  void client.card
    .unfreeze()
    .safe()
    .then(() => {
      hasEnded = true;
    });
  await turns();
  expect(hangs).toBe(true);
  clock.advance(1_999);
  await turns();
  expect(hasEnded).toBe(false);
  clock.advance(1);
  await turns();
  expect(hasEnded).toBe(true);
  // The entry stays, and can be looked up.
  expect(inner.get('card-platform.journal.0')).toContain('card.unfreeze');
});

it.each<[string, boolean, (client: CardPlatformClient) => PlatformPromise<unknown>]>([
  ['was executed', true, (client) => client.card.unfreeze()],
  ['was refused', false, (client) => client.wallets.credit.withdraw({ amount: '1000' })],
])('a request that %s leaves no timer behind when its entry is closed', async (_, isDone, call) => {
  const mock = createMockPlatform();
  const clock = new FakeClock({ startsAt: mock.now, auto: false });
  const client = clientOf(mock, mock.users.add({ card: 'FROZEN' }), new MapStore(), { clock });
  expect((await call(client).safe()).ok).toBe(isDone);
  expect(await client.journal.pending()).toEqual([]);
  // A program that has nothing else to do may end.
  expect(clock.pending).toBe(0);
});

/** A store that keeps each text of the first page of the journal. */
function loggedStore() {
  const inner = new MapStore();
  const texts: (string | undefined)[] = [];
  const store: KeyValueStore = {
    get: (key) => inner.get(key),
    set: (key, value) => void inner.set(key, value),
    delete: (key) => void inner.delete(key),
    update(key, change) {
      inner.update(key, change);
      if (key === 'card-platform.journal.0') texts.push(inner.get(key));
    },
  };
  return { inner, store, texts };
}

it('a request that was executed is in the store after every write, so that a crash forgets none', async () => {
  const mock = createMockPlatform();
  const { store, texts } = loggedStore();
  const client = clientOf(mock, mock.users.add({ card: 'FROZEN' }), store);
  await client.card.unfreeze();
  expect(await client.journal.pending()).toEqual([]);
  expect(texts.length).toBeGreaterThanOrEqual(2);
  for (const text of texts) expect(text).toContain('"operation":"card.unfreeze"');
});

it('a request that is removed as executed is in the store after every write', async () => {
  const { inner, store, texts } = loggedStore();
  const scene = { ...setUpScripted(withHistory([debit()]), {}, { store }), store: inner };
  const entry = await loseRequest(scene, WITHDRAWAL);
  await scene.client.journal.remove(entry, 'executed');
  expect(await scene.client.journal.pending()).toEqual([]);
  expect(texts.length).toBeGreaterThanOrEqual(2);
  for (const text of texts) expect(text).toContain('"operation":"wallets.credit.withdraw"');
});
