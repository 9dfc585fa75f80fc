import { isObject } from '../contract/formats/is-object.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import type { JournalEntry } from './journal-types.js';
import { KEYS, readSlots, readText } from './slots.js';
import { fits, isEntry, parseJson, toAscii } from './stored-entry.js';

/**
 * A request of which the journal no longer has an entry, and which counts when a similar one is
 * looked up. `possible`: the caller removed its entry without a verdict.
 */
export type DoneRecord = Readonly<JournalEntry> & { readonly state: 'executed' | 'possible' };

type Kept = {
  readonly records: readonly DoneRecord[];
  /** Requests up to this time may be missing: there was no room for them, or they were damaged. */
  readonly missingUntil?: number | undefined;
};

/** How long a request is remembered. An older one cannot be taken for a later one. */
const REMEMBERED_MS = 48 * 60 * 60_000;

function isRecord(value: unknown): value is DoneRecord {
  const { state } = Object(value) as Partial<DoneRecord>;
  return isEntry(value) && (state === 'executed' || state === 'possible');
}

function isKept(value: unknown): value is Kept {
  return (
    isObject(value) &&
    Array.isArray(value['records']) &&
    value['records'].every(isRecord) &&
    (value['missingUntil'] === undefined || Number.isFinite(value['missingUntil']))
  );
}

/** Reads the list of a slot. Whatever was in a damaged one is missing, up to the given time. */
async function readKept(store: KeyValueStore, slot: number, latest: number): Promise<Kept> {
  const text = await readText(store, KEYS.done(slot));
  if (text === undefined) return { records: [] };
  const value = parseJson(text);
  return isKept(value) ? value : { records: [], missingUntil: latest };
}

/** Remembers a request whose entry is removed. Only the holder of a slot writes its list. */
export async function rememberDone(
  store: KeyValueStore,
  slot: number,
  entry: JournalEntry,
  state: DoneRecord['state'],
): Promise<void> {
  // A slot has one entry at a time: those in its list are older than this one.
  const kept = await readKept(store, slot, entry.at);
  const isRecent = (one: DoneRecord) => one.at > entry.at - REMEMBERED_MS;
  const others = kept.records.filter((one) => one.id !== entry.id);
  const records = [{ ...entry, state }, ...others.filter(isRecent)];
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

/** Remembers that a request is missing: its entry was damaged, so it may be any request up to this time. */
export async function rememberMissing(
  store: KeyValueStore,
  slot: number,
  until: number,
): Promise<void> {
  const { records, missingUntil = 0 } = await readKept(store, slot, until);
  const latest = Math.max(missingUntil, until);
  await store.set(KEYS.done(slot), toAscii({ records, missingUntil: latest }));
}

/** Every request that is remembered, and the time up to which some may be missing. */
export async function readDone(
  store: KeyValueStore,
): Promise<{ records: DoneRecord[]; missingUntil: number }> {
  const records: DoneRecord[] = [];
  let missingUntil = 0;
  for await (const { slot } of readSlots(store)) {
    const kept = await readKept(store, slot, Number.MAX_SAFE_INTEGER);
    records.push(...kept.records);
    missingUntil = Math.max(missingUntil, kept.missingUntil ?? 0);
  }
  return { records, missingUntil };
}
