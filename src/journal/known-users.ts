import type { KeyValueStore } from '../stores/key-value-store.js';
import { KEYS, readText } from './slots.js';
import { fits, parseJson, toAscii } from './stored-entry.js';

type Known = readonly (readonly [session: string, user: string])[];

const MOST_USERS = 20;
/** Characters of a user's id, at most: an entry must fit into any store. */
export const LONGEST_USER = 100;

function isKnown(value: unknown): value is Known {
  return (
    Array.isArray(value) &&
    value.every((pair) => Array.isArray(pair) && pair.every((text) => typeof text === 'string'))
  );
}

async function readKnown(store: KeyValueStore): Promise<Known> {
  const value = parseJson((await readText(store, KEYS.users)) ?? '[]');
  return isKnown(value) ? value : [];
}

/**
 * Remembers which user a token belongs to, as a login reported it. Another tab may overwrite it: an
 * entry then has its session and not its user.
 */
export async function learnUser(
  store: KeyValueStore,
  session: string,
  user: unknown,
): Promise<void> {
  if (typeof user !== 'string' || user === '' || user.length > LONGEST_USER) return;
  const others = (await readKnown(store)).filter(([known]) => known !== session);
  const known = [[session, user] as const, ...others].slice(0, MOST_USERS);
  while (!fits(toAscii(known))) known.pop();
  await store.set(KEYS.users, toAscii(known));
}

/** The user of a session, where a login has reported it. */
export async function findUser(store: KeyValueStore, session: string): Promise<string | undefined> {
  return (await readKnown(store)).find(([known]) => known === session)?.[1];
}
