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
  login: PendingLogin,
): Promise<void> {
  await store.set(key, textOf(login));
}

const textOf = ({ state, verifier }: PendingLogin) => JSON.stringify({ v: 1, state, verifier });

function parse(text: unknown): PendingLogin | undefined {
  try {
    const { v, state, verifier } = Object(JSON.parse(String(text)));
    const isComplete = v === 1 && typeof state === 'string' && typeof verifier === 'string';
    return isComplete ? { state, verifier } : undefined;
  } catch {
    // The text is not shown: it may hold the verifier.
    return undefined;
  }
}

/** Reads the login. */
export async function readPendingLogin({
  store,
  key = KEY,
}: PendingLoginStore): Promise<PendingLogin> {
  const login = parse(await store.get(key));
  if (login === undefined) throw invalidRedirect();
  return login;
}

/**
 * Removes the login, because its code is used once. Of two calls that have read it, only one takes it.
 *
 * @returns whether this call has taken it: another one may have taken or replaced it
 */
export async function takePendingLogin(
  { store, key = KEY }: PendingLoginStore,
  { verifier }: PendingLogin,
): Promise<boolean> {
  let isTaken = false;
  await store.update(key, (current) => {
    isTaken = parse(current)?.verifier === verifier;
    return isTaken ? undefined : (current ?? undefined);
  });
  return isTaken;
}

/** Puts a login back that was taken, unless another one has been started since. */
export async function returnPendingLogin(
  { store, key = KEY }: PendingLoginStore,
  login: PendingLogin,
): Promise<void> {
  await store.update(key, (current) => current ?? textOf(login));
}
