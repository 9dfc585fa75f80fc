import type { KeyValueStore } from '../../index.js';
import { invalidRedirect } from './oauth-error.js';

/** A login whose sign-in page is open. Secret: with it, anybody can exchange the code. */
type PendingLogin = { readonly state: string; readonly verifier: string };

/** Where a login is kept while the sign-in page is open. */
export type PendingLoginStore = {
  /** Outlives the page: `sessionStorage` in a browser, the keychain or memory on a phone. */
  store: KeyValueStore;
  /** The key in the store. Default `card-platform.oauth2-login`. */
  key?: string | undefined;
};

const KEY = 'card-platform.oauth2-login';

/** Writes the login; it replaces the one before. */
export async function savePendingLogin(
  { store, key = KEY }: PendingLoginStore,
  { state, verifier }: PendingLogin,
): Promise<void> {
  await store.set(key, JSON.stringify({ v: 1, state, verifier }));
}

/** Reads the login. */
export async function readPendingLogin({
  store,
  key = KEY,
}: PendingLoginStore): Promise<PendingLogin> {
  const text: unknown = await store.get(key);
  try {
    const { v, state, verifier } = Object(JSON.parse(String(text)));
    const isComplete = v === 1 && typeof state === 'string' && typeof verifier === 'string';
    if (isComplete) return { state, verifier };
  } catch {
    // The text is not shown: it may hold the verifier.
  }
  throw invalidRedirect();
}

/** Removes the login: its code is used once. */
export async function forgetPendingLogin({ store, key = KEY }: PendingLoginStore): Promise<void> {
  await store.delete(key);
}
