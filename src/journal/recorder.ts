import type { Endpoint } from '../contract/endpoint.js';
import { isObject } from '../contract/formats/is-object.js';
import { ConfigurationError, type Outcome } from '../errors/index.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import type { RecordedRequest, Recorder } from '../transport/settings/journal-option.js';
import { rememberDone } from './done-records.js';
import { detailsOf } from './entry-details.js';
import type { JournalEntry } from './journal-types.js';
import { findUser, LONGEST_USER, learnUser } from './known-users.js';
import type { JournalOptions } from './options.js';
import { randomId, sessionOf } from './session-of.js';
import { KEYS, takeSlot } from './slots.js';
import { writeEntry } from './stored-entry.js';

/** The slots that this program holds, by store: they need no read. */
const heldSlots = new WeakMap<object, Set<number>>();

function heldIn(store: KeyValueStore): Set<number> {
  const held = heldSlots.get(store) ?? new Set();
  heldSlots.set(store, held);
  return held;
}

/** A call that may take no longer than this has ended before the default `settleTime` is over. */
const USUAL_TIMEOUT_MS = 60_000;

function requireUser(user: string): string {
  if (user.length <= LONGEST_USER) return user;
  throw new ConfigurationError(
    'journal.user',
    `journal.user must not be longer than ${LONGEST_USER} characters.`,
  );
}

/** The user of a session: as the caller names it, or as a login has reported it. */
export async function userOf(
  { store, user }: JournalOptions,
  session: string | undefined,
): Promise<string | undefined> {
  const named = typeof user === 'function' ? await user() : user;
  if (typeof named === 'string' && named !== '') return requireUser(named);
  return session === undefined ? undefined : findUser(store, session);
}

async function entryFor(
  { endpoint, input, region, accessToken, totalTimeout, hasSecret }: RecordedRequest,
  options: JournalOptions,
  clock: Clock,
): Promise<JournalEntry> {
  const session = accessToken === undefined ? undefined : sessionOf(accessToken);
  // Behind a proxy, a request for a user has no token here.
  const isOfUser = endpoint.credentials.includes('accessToken');
  const user = isOfUser ? await userOf(options, session) : undefined;
  return {
    id: randomId(),
    operation: endpoint.id,
    at: clock.now(),
    ...(totalTimeout > USUAL_TIMEOUT_MS && { lasts: totalTimeout }),
    region,
    ...(user !== undefined && { user }),
    ...(session !== undefined && { session }),
    details: detailsOf(endpoint, input, hasSecret),
  };
}

/** Remembers whose token a login has issued. */
async function learnFrom(store: KeyValueStore, { id }: Endpoint, result: unknown): Promise<void> {
  if (id !== 'auth.login' || !isObject(result)) return;
  const { accessToken, userId } = result;
  if (typeof accessToken === 'string') await learnUser(store, sessionOf(accessToken), userId);
}

/** Returns the journal as the transport uses it. */
export function createRecorder(options: JournalOptions, clock: Clock): Recorder {
  const { store } = options;
  const held = heldIn(store);
  return {
    async record(request) {
      const entry = await entryFor(request, options, clock);
      const key = KEYS.entry(entry.id);
      await store.set(key, writeEntry(entry));
      const slot = await takeSlot(store, entry.id, held).catch(async (error) => {
        await Promise.resolve(store.delete(key)).catch(() => undefined);
        throw error;
      });
      return async (outcome: Outcome, result?: unknown) => {
        held.delete(slot);
        // The entry of an unknown outcome stays, in its slot.
        if (outcome === 'unknown') return;
        await learnFrom(store, request.endpoint, result).catch(() => undefined);
        if (outcome === 'executed') await rememberDone(store, slot, entry, 'executed');
        await store.delete(key);
      };
    },
  };
}
