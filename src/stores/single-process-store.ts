import { ConfigurationError } from '../errors/index.js';
import type { KeyValueStore } from './key-value-store.js';

/** The functions that the storages of phones have in common. */
export type Storage = Pick<KeyValueStore, 'get' | 'set' | 'delete'>;

const FUNCTIONS = ['get', 'set', 'delete'] as const;

/**
 * Turns a storage that only this process uses, such as the keychain or AsyncStorage of a phone app,
 * into a store. Its changes wait for each other, which is all that `update` needs there.
 *
 * Two processes or tabs must not share such a storage: each would overwrite the other's changes.
 * Use `indexedDbStore`, `folderStore` or a database for them.
 *
 * @param storage - reads, writes and removes a text; each function may return a promise
 * @throws ConfigurationError for a storage without these functions
 * @example
 * ```ts
 * import { createSessions } from 'card-platform-sdk/sessions';
 * import { singleProcessStore } from 'card-platform-sdk/stores';
 *
 * // From @react-native-async-storage/async-storage.
 * declare const AsyncStorage: {
 *   getItem(key: string): Promise<string | null>;
 *   setItem(key: string, value: string): Promise<void>;
 *   removeItem(key: string): Promise<void>;
 * };
 *
 * const store = singleProcessStore({
 *   get: (key) => AsyncStorage.getItem(key),
 *   set: (key, value) => AsyncStorage.setItem(key, value),
 *   delete: (key) => AsyncStorage.removeItem(key),
 * });
 * const sessions = createSessions({ store });
 * ```
 */
export function singleProcessStore(storage: Storage): KeyValueStore {
  const given: Partial<Record<string, unknown>> = Object(storage);
  const missing = FUNCTIONS.filter((name) => typeof given[name] !== 'function');
  if (missing.length > 0) {
    throw new ConfigurationError(
      'storage',
      `storage lacks ${missing.join(', ')}: pass functions that call your storage, such as get: (key) => AsyncStorage.getItem(key).`,
    );
  }
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => T): Promise<Awaited<T>> {
    const done = last.then(work) as Promise<Awaited<T>>;
    last = done.catch(() => undefined);
    return done;
  }
  return {
    get: (key) => storage.get(key),
    set: (key, value) => inTurn(() => storage.set(key, value)),
    delete: (key) => inTurn(() => storage.delete(key)),
    update: (key, change) =>
      inTurn(async () => {
        const next = change((await storage.get(key)) ?? undefined);
        await (next === undefined ? storage.delete(key) : storage.set(key, next));
      }),
  };
}
