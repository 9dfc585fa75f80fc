import { CardPlatformClient } from '../../src/client.js';
import { createSessions, type SessionsOptions } from '../../src/sessions/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { FakeClock } from '../support/fake-clock.js';

export const KEY = 'card-platform.session';

/** Creates a store over a map. Its failures can be set. */
export function memoryStore(entries = new Map<string, string>()) {
  const failing = { get: false, set: false };
  const written: string[] = [];
  // Without the key by which a store is tried.
  const isKept = (key: string) => !key.includes('.check.');
  const failIf = (fails: boolean) => {
    if (fails) throw new Error(`the disk failed near ${[...entries.values()].join()}`);
  };
  return {
    entries,
    failing,
    written,
    get: (key: string) => {
      failIf(failing.get);
      return entries.get(key);
    },
    set: (key: string, value: string) => {
      failIf(failing.set);
      if (isKept(key)) written.push(value);
      entries.set(key, value);
    },
    delete: (key: string) => void entries.delete(key),
    update: (key: string, change: (text: string | undefined) => string | undefined) => {
      failIf(failing.get || failing.set);
      const before = entries.get(key);
      const next = change(before);
      if (next === before) return;
      if (next === undefined) entries.delete(key);
      else {
        if (isKept(key)) written.push(next);
        entries.set(key, next);
      }
    },
  };
}

/** Creates the asynchronous form of a store. */
export function asyncStore(store = memoryStore()) {
  const later = () => new Promise((resolve) => setImmediate(resolve));
  return {
    get: async (key: string) => {
      await later();
      return store.get(key);
    },
    set: async (key: string, value: string) => {
      await later();
      store.set(key, value);
    },
    delete: async (key: string) => store.delete(key),
    update: async (key: string, change: (text: string | undefined) => string | undefined) => {
      await later();
      store.update(key, change);
    },
  };
}

/** Creates a platform with a user in each region, and a client for each region. */
export function twoRegions() {
  const mock = createMockPlatform();
  const ada = mock.users.add({ email: 'ada@example.com', card: 'ACTIVE' });
  const grace = mock.users.add({ email: 'grace@example.com', card: 'ACTIVE', environment: 'us' });
  const options = { baseUrl: mock.baseUrl, fetch: mock.fetch, ...mock.credentials, retry: false };
  const platforms = {
    global: new CardPlatformClient(options),
    us: new CardPlatformClient({ ...options, region: 'us' }),
  };
  const revoke = (accessToken: string) => {
    const { sessions } = mock.state;
    sessions.splice(
      sessions.findIndex((one) => one.accessToken === accessToken),
      1,
    );
  };
  return { mock, ada, grace, platforms, revoke };
}

/** Creates sessions with a clock that stands still. */
export function sessionsWith(options: Partial<SessionsOptions> = {}) {
  const clock = new FakeClock({ auto: false });
  const store = memoryStore();
  const sessions = createSessions({ store, clock, ...options });
  return { clock, store, sessions };
}

/** Runs everything that does not wait for a timer. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}
