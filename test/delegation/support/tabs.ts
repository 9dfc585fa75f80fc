import { vi } from 'vitest';
import type { KeyValueStore } from '../../../src/stores/index.js';

const FLIGHTS = Symbol.for('card-platform-sdk.delegations');

/** A store whose values several tabs share, and what each of them wrote. */
export function sharedStore() {
  const values = new Map<string, string>();
  const keys = new Set<string>();
  const lengths: number[] = [];
  const wrote = (key: string, value: string) => {
    keys.add(key);
    lengths.push(new TextEncoder().encode(value).length);
    values.set(key, value);
  };
  return {
    values,
    keys,
    lengths,
    /** The store as one tab sees it. A tab that has died neither reads nor writes. */
    open(isAlive: () => boolean = () => true): KeyValueStore {
      const run = async <T>(operation: () => T): Promise<T> => {
        // Real stores take time, in which others write.
        for (let turn = 0; turn < 3; turn++) await Promise.resolve();
        if (!isAlive()) return new Promise<never>(() => {});
        return operation();
      };
      return {
        get: (key) => run(() => values.get(key)),
        set: (key, value) => run(() => wrote(key, value)),
        delete: (key) => run(() => void values.delete(key)),
        update: (key, change) =>
          run(() => {
            const next = change(values.get(key));
            if (next === undefined) values.delete(key);
            else wrote(key, next);
          }),
      };
    },
  };
}

/** The locks of one browser, as all its tabs see them. */
export function sharedLocks() {
  const held = new Set<string>();
  return (isAlive: () => boolean = () => true) => ({
    async request(
      name: string,
      _: { ifAvailable: true },
      callback: (lock: object | null) => Promise<void>,
    ) {
      if (held.has(name)) return callback(null);
      held.add(name);
      const release = () => void held.delete(name);
      died.push(() => !isAlive() && release());
      try {
        return await callback({});
      } finally {
        release();
      }
    },
  });
}

const died: (() => void)[] = [];

/** A copy of the package, as another tab loads it: it knows nothing of what runs here. */
export async function openTab<Entry>(load: () => Promise<Entry>) {
  vi.resetModules();
  delete (globalThis as { [FLIGHTS]?: unknown })[FLIGHTS];
  let isAlive = true;
  const entry = await load();
  return {
    entry,
    isAlive: () => isAlive,
    /** Closes the tab, or lets its process die: nothing of it goes on. */
    die() {
      isAlive = false;
      for (const release of died.splice(0)) release();
    },
  };
}
