import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Endpoint } from '../contract/endpoint.js';
import { isObject } from '../contract/formats/is-object.js';
import { isThenable } from '../contract/formats/is-thenable.js';
import { ConfigurationError } from '../errors/index.js';
import { type KeyValueStore, readText, updateText } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import { type JournalOptions, LONGEST_USER, requireUser } from './options.js';
import { parseJson, toAscii } from './stored-entry.js';

/** Characters of a fingerprint: enough that two users never share one, too few to be a token. */
const LENGTH = 16;
const SALT = 'card-platform-sdk journal ';

/**
 * A part of the hash of an access token. It recognises the same token again. The service's tokens are
 * random, so nobody can find a token by its hash, and a part of a hash signs nobody in.
 */
export function tokenHashOf(accessToken: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(SALT + accessToken))).slice(0, LENGTH);
}

type Known = readonly (readonly [tokenHash: string, user: string])[];

const KEY = 'card-platform.journal.users';
const MOST_USERS = 20;
const MOST_CHARACTERS = 1_900;

/** The tokens are spread over 256 values, because a store accepts only short ones. */
const keyOf = (tokenHash: string) => `${KEY}.${tokenHash.slice(0, 2)}`;

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
  await updateText(store, clock, keyOf(tokenHash), (text) => {
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
  tokenHash: string | undefined,
): Promise<string | undefined> {
  if (tokenHash === undefined) return undefined;
  const known = parse(await readText(store, clock, keyOf(tokenHash)));
  return known.find(([each]) => each === tokenHash)?.[1];
}

/** Remembers whose token a login has issued. */
export async function learnFrom(
  store: KeyValueStore,
  clock: Clock,
  { issuedToken }: Endpoint,
  result: unknown,
): Promise<void> {
  if (issuedToken === undefined || !isObject(result)) return;
  const accessToken = result[issuedToken.token];
  if (typeof accessToken !== 'string') return;
  await learnUser(store, clock, tokenHashOf(accessToken), result[issuedToken.userId]);
}

/** The refusal of a request, or a look, whose user is not known. */
export function userMissing(): ConfigurationError {
  return new ConfigurationError(
    'journal.user',
    'journal.user is missing: behind a proxy, the page has no access token that shows whose requests these are. Pass the id that your login route returns.',
  );
}

function userIn(named: unknown): string | undefined {
  return typeof named === 'string' && named !== '' ? requireUser(named) : undefined;
}

/** The user whom the option `user` names: at once, where it does not say it later. */
export function namedUser({
  user,
}: JournalOptions): string | undefined | Promise<string | undefined> {
  const named = typeof user === 'function' ? user() : user;
  return isThenable(named) ? Promise.resolve(named).then(userIn) : userIn(named);
}
