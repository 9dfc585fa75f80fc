import { type KeyValueStore, readText, updateText } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import { parseJson, toAscii } from './stored-entry.js';

type Known = readonly (readonly [tokenHash: string, user: string])[];

const KEY = 'card-platform.journal.users';
const MOST_USERS = 20;
const MOST_CHARACTERS = 1_900;
/** Characters of a user's id, at most: an entry must fit into any store. */
export const LONGEST_USER = 100;

const isPair = (value: unknown): value is readonly [string, string] =>
  Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');

function parse(text: string | undefined): Known {
  const value = parseJson(text ?? '[]');
  return Array.isArray(value) && value.every(isPair) ? value : [];
}

/** Remembers which user a token belongs to, as a login reported it. */
export async function learnUser(
  store: KeyValueStore,
  clock: Clock,
  tokenHash: string,
  user: unknown,
): Promise<void> {
  if (typeof user !== 'string' || user === '' || user.length > LONGEST_USER) return;
  await updateText(store, clock, KEY, (text) => {
    const others = parse(text).filter(([known]) => known !== tokenHash);
    const known = [[tokenHash, user] as const, ...others].slice(0, MOST_USERS);
    while (toAscii(known).length > MOST_CHARACTERS) known.pop();
    return toAscii(known);
  });
}

/** The user of a token, where a login has reported it. */
export async function findUser(
  store: KeyValueStore,
  clock: Clock,
  tokenHash: string,
): Promise<string | undefined> {
  const known = parse(await readText(store, clock, KEY));
  return known.find(([each]) => each === tokenHash)?.[1];
}
