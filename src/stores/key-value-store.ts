import { ConfigurationError } from '../errors/index.js';
import type { Clock } from '../transport/attempts/clock.js';

/**
 * A place where text outlives the program: a database, a folder of files, IndexedDB, a
 * phone's keychain. The journal, sessions and stored delegations use it. `card-platform-sdk/stores` has stores that are
 * ready to use. Each method may return its result or a promise of it.
 *
 * Keys contain only `a-z`, `0-9`, `.`, `-` and `_`, so that a keychain accepts them. Every value
 * that this package writes is shorter than 2 kB (2,048 bytes), unless you raise `maxRecordBytes` of
 * `createSessions`. A read must return the last written value, even if
 * another tab or process wrote it: a cache that is updated later does not work.
 *
 * @example
 * ```ts
 * import type { KeyValueStore } from 'card-platform-sdk';
 * import { folderStore } from 'card-platform-sdk/stores';
 *
 * const store: KeyValueStore = folderStore('./card-platform');
 * ```
 */
export type KeyValueStore = {
  /** Returns the text under a key; `undefined` or `null` if there is none. */
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  /** Writes a text under a key, and replaces an earlier one. Resolves once the text is saved. */
  set(key: string, value: string): unknown;
  /** Removes a key. A key that does not exist is not an error. */
  delete(key: string): unknown;
  /**
   * Changes the text under a key, atomically: no other change happens between reading the text that
   * `change` receives and writing the text that it returns. Resolves once the new text is saved,
   * never before `change` has run.
   *
   * `change` returns the new text, or `undefined` to remove the key. It is synchronous, has no other
   * effect, and may run again, for example when a transaction is repeated.
   */
  update(key: string, change: (current: string | undefined) => string | undefined): unknown;
};

/** The keys of a journal in its store: this, and the number of a page. */
export const JOURNAL_PAGES = 'card-platform.journal.';

/** What a store did wrong. The text is ours: the error of a store may contain a token. */
export class StoreFault extends Error {}

const FUNCTIONS = ['get', 'set', 'delete', 'update'] as const;

/**
 * Checks an option that is a store.
 *
 * @throws ConfigurationError that lists the functions it lacks
 */
export function requireStore(store: KeyValueStore | undefined, option: string): KeyValueStore {
  const given: Partial<Record<string, unknown>> = Object(store);
  const missing = FUNCTIONS.filter((name) => typeof given[name] !== 'function');
  if (store !== undefined && missing.length === 0) return store;
  throw new ConfigurationError(
    option,
    `${option} must be a store: it lacks ${missing.join(', ')}. card-platform-sdk/stores has stores for pages, servers and tests.`,
  );
}

const STORE_TIMEOUT_MS = 30_000;

/** Runs one operation of a store, for at most 30 seconds. */
export async function useStore<T>(
  clock: Clock,
  name: keyof KeyValueStore,
  operation: () => T,
): Promise<Awaited<T>> {
  let cancel = () => {};
  const tooLong = new Promise<never>((_, reject) => {
    cancel = clock.schedule(
      () => reject(new StoreFault(`${name} did not finish within 30 seconds`)),
      STORE_TIMEOUT_MS,
    );
  });
  try {
    return await Promise.race([operation(), tooLong]);
  } finally {
    cancel();
  }
}

/** Reads the text under a key. */
export async function readText(
  store: KeyValueStore,
  clock: Clock,
  key: string,
): Promise<string | undefined> {
  const value: unknown = await useStore(clock, 'get', () => store.get(key));
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new StoreFault('get returned something other than text');
}

/** The function to pass to a store's `update`, and a check of what the store did with it. */
type GuardedChange = {
  readonly run: (current: string | undefined) => string | undefined;
  /**
   * @throws StoreFault when the store has not run the change, or passed on something other than text;
   *   the error of the change, which a store would hide
   */
  readonly require: () => void;
};

/** Makes sure that a store runs a change, and passes it a text or `undefined`. */
export function guardChange(
  change: (current: string | undefined) => string | undefined,
): GuardedChange {
  let failure: unknown = new StoreFault('update did not run the function that changes the text');
  return {
    run: (current) => {
      // A store may pass on null for a key that does not exist.
      const text: unknown = current ?? undefined;
      try {
        if (text !== undefined && typeof text !== 'string') {
          throw new StoreFault('update passed on something other than text');
        }
        const next = change(text);
        failure = undefined;
        return next;
      } catch (error) {
        failure = error;
        return current ?? undefined;
      }
    },
    require: () => {
      if (failure !== undefined) throw failure;
    },
  };
}

/**
 * Changes the text under a key.
 *
 * @throws StoreFault, the error of the store, or the error of the change
 */
export async function updateText(
  store: KeyValueStore,
  clock: Clock,
  key: string,
  change: (current: string | undefined) => string | undefined,
): Promise<void> {
  const guarded = guardChange(change);
  await useStore(clock, 'update', () => store.update(key, guarded.run));
  guarded.require();
}

/**
 * Programs that start together try the store at the same time, and two with the same key take each
 * other for a fault. A program that dies meanwhile leaves its key behind, so their number has a limit.
 */
const KEYS = 256;
const MOST_ATTEMPTS = 8;

async function tryStore(store: KeyValueStore, clock: Clock): Promise<string | undefined> {
  const key = `card-platform.check.${Math.floor(Math.random() * KEYS)}`;
  const written = `check ${Math.random()}`;
  const changed = `${written} changed`;
  let received: unknown;
  await useStore(clock, 'set', () => store.set(key, written));
  if ((await readText(store, clock, key)) !== written) {
    return 'get did not return the text that set had written';
  }
  await useStore(clock, 'update', () =>
    store.update(key, (current) => {
      received = current;
      return changed;
    }),
  );
  if (received !== written) return 'update did not pass on the text that set had written';
  if ((await readText(store, clock, key)) !== changed) {
    return 'get did not return the text that update had written';
  }
  await useStore(clock, 'delete', () => store.delete(key));
  const rest = await readText(store, clock, key);
  return rest === undefined ? undefined : 'get returned a text that delete had removed';
}

const checks = new WeakMap<object, Promise<void>>();

/**
 * Tries a store before its first write: a text is written, changed, read back and removed. A store that
 * has failed is tried again the next time.
 *
 * @throws StoreFault, or the error of the store
 */
export function checkStore(store: KeyValueStore, clock: Clock): Promise<void> {
  const known = checks.get(store);
  if (known !== undefined) return known;
  const check = (async () => {
    let fault: string | undefined = '';
    for (let attempt = 0; attempt < MOST_ATTEMPTS && fault !== undefined; attempt++) {
      fault = await tryStore(store, clock);
    }
    if (fault !== undefined) throw new StoreFault(fault);
  })();
  checks.set(store, check);
  check.catch(() => checks.delete(store));
  return check;
}
