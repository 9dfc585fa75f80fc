import { ConfigurationError } from '../errors/index.js';
import type { KeyValueStore } from './key-value-store.js';

/**
 * A store in memory, for tests. It is empty again when the program ends, so it must not keep the
 * journal of a real application.
 *
 * @param values - the map to use, for a test that looks into the store
 * @throws ConfigurationError for anything that is not a map
 * @example
 * ```ts
 * import { createSessions } from 'card-platform-sdk/sessions';
 * import { memoryStore } from 'card-platform-sdk/stores';
 *
 * const sessions = createSessions({ store: memoryStore() });
 * ```
 */
export function memoryStore(values: Map<string, string> = new Map()): KeyValueStore {
  if (!(values instanceof Map)) throw new ConfigurationError('values', 'values must be a Map.');
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
    update: (key, change) => {
      const next = change(values.get(key));
      if (next === undefined) values.delete(key);
      else values.set(key, next);
    },
  };
}
