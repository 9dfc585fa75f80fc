import { isObject } from '../contract/formats/is-object.js';
import type { KeyValueStore } from '../transport/settings/journal-options.js';
import type { JournalEntry } from './journal-types.js';
import { KEYS, readSlots, readText } from './slots.js';
import { fits, parseJson, toAscii } from './stored-entry.js';

/**
 * A request of which the journal no longer has an entry, and which counts when a similar one is
 * looked up. `possible`: the caller removed its entry without a verdict.
 */
export type DoneRecord = {
  readonly id: string;
  readonly at: number;
  readonly state: 'executed' | 'possible';
  readonly operation: string;
  readonly region: string;
  readonly user?: string | undefined;
  readonly session?: string | undefined;
  readonly details: Readonly<Record<string, string>>;
};

type Kept = {
  readonly records: readonly DoneRecord[];
  /** Requests up to this time may be missing, because there was no room for them. */
  readonly missingUntil?: number | undefined;
};

/** How long a request is remembered. An older one cannot be taken for a later one. */
const REMEMBERED_MS = 48 * 60 * 60_000;

function isKept(value: unknown): value is Kept {
  return isObject(value) && Array.isArray(value['records']) && value['records'].every(isObject);
}

async function readKept(store: KeyValueStore, slot: number): Promise<Kept> {
  const text = await readText(store, KEYS.done(slot));
  if (text === undefined) return { records: [] };
  const value = parseJson(text);
  // Whatever was in a damaged list is missing.
  return isKept(value) ? value : { records: [], missingUntil: Number.MAX_SAFE_INTEGER };
}

/** Remembers a request whose entry is removed. Only the holder of a slot writes its list. */
export async function rememberDone(
  store: KeyValueStore,
  slot: number,
  entry: JournalEntry,
  state: DoneRecord['state'],
): Promise<void> {
  const kept = await readKept(store, slot);
  const { id, at, operation, region, user, session, details } = entry;
  const record = { id, at, state, operation, region, user, session, details };
  const isRecent = (one: DoneRecord) => one.at > at - REMEMBERED_MS;
  const others = kept.records.filter((one) => one.id !== id);
  const records = [record, ...others.filter(isRecent)];
  let { missingUntil } = kept;
  // An entry may stay open for longer. Its lookup must then know that requests are missing.
  for (const one of others) {
    if (!isRecent(one)) missingUntil = Math.max(missingUntil ?? 0, one.at);
  }
  while (!fits(toAscii({ records, missingUntil })) && records.length > 0) {
    missingUntil = Math.max(missingUntil ?? 0, records.pop()?.at ?? 0);
  }
  await store.set(KEYS.done(slot), toAscii({ records, missingUntil }));
}

/** Every request that is remembered, and the time up to which some may be missing. */
export async function readDone(
  store: KeyValueStore,
): Promise<{ records: DoneRecord[]; missingUntil: number }> {
  const records: DoneRecord[] = [];
  let missingUntil = 0;
  for await (const { slot } of readSlots(store)) {
    const kept = await readKept(store, slot);
    records.push(...kept.records);
    missingUntil = Math.max(missingUntil, kept.missingUntil ?? 0);
  }
  return { records, missingUntil };
}
