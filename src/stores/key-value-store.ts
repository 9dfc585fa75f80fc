/**
 * A place that keeps text after the program has ended: web storage, a row of a database, a phone's
 * keychain. Journal, sessions and saved delegation states all use it. Each method may
 * return its result or a promise of it.
 *
 * Keys contain only `a-z`, `0-9`, `.`, `-` and `_`, so that a keychain takes them. Every value that
 * this package writes is shorter than 2 kB. A read must return the last written value, even if
 * another tab or process wrote it: a cache that is updated later does not work.
 *
 * @example
 * ```ts
 * import type { KeyValueStore } from 'card-platform-sdk';
 *
 * const store: KeyValueStore = {
 *   get: (key) => localStorage.getItem(key),
 *   set: (key, value) => localStorage.setItem(key, value),
 *   delete: (key) => localStorage.removeItem(key),
 * };
 * ```
 */
export type KeyValueStore = {
  /** Returns the text under a key; `undefined` or `null` where there is none. */
  get(key: string): string | null | undefined | Promise<string | null | undefined>;
  /** Writes a text under a key, in place of an earlier one. Resolves once it is kept. */
  set(key: string, value: string): unknown;
  /** Removes a key. A key that does not exist is not an error. */
  delete(key: string): unknown;
};
