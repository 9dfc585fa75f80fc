import { indexedDbStore } from '../stores/indexed-db-store.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { memoryStore } from '../stores/memory-store.js';
import type { WagmiConfig, WagmiStorage } from './config.js';

const stores = new WeakMap<object, KeyValueStore>();

/**
 * Where the delegations of a config are kept: IndexedDB where there is one, because its changes are
 * atomic across tabs, and because wagmi's storage may be a cookie, which is sent to a server. Elsewhere,
 * as in React Native, the storage of the config, which one process uses alone.
 */
export function storeOf(config: WagmiConfig): KeyValueStore {
  const known = stores.get(config);
  if (known !== undefined) return known;
  const { indexedDB } = globalThis as { indexedDB?: unknown };
  const { storage } = config;
  const store = indexedDB ? indexedDbStore() : storage ? storeFromStorage(storage) : memoryStore();
  stores.set(config, store);
  return store;
}

/** The storage of wagmi as a store. The changes of one process come one after the other. */
function storeFromStorage(storage: WagmiStorage): KeyValueStore {
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => T): Promise<Awaited<T>> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result as Promise<Awaited<T>>;
  }
  const get = async (key: string): Promise<string | undefined> => {
    const value = await storage.getItem(key as never);
    return typeof value === 'string' ? value : undefined;
  };
  const set = (key: string, value: string) => storage.setItem(key as never, value as never);
  const remove = (key: string) => storage.removeItem(key as never);
  return {
    get: (key) => inTurn(() => get(key)),
    set: (key, value) => inTurn(() => set(key, value)),
    delete: (key) => inTurn(() => remove(key)),
    update: (key, change) =>
      inTurn(async () => {
        const next = change(await get(key));
        await (next === undefined ? remove(key) : set(key, next));
      }),
  };
}
