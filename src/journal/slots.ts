import type { KeyValueStore } from '../stores/key-value-store.js';

const PREFIX = 'card-platform.journal.';
/** Slots in a block. Each block above the first has a mark, so that a reader knows how far to look. */
const BLOCK = 32;

/** Builds the keys of a journal. */
export const KEYS = {
  /** The id of the entry that a slot points to. */
  slot: (slot: number) => `${PREFIX}slot.${slot}`,
  entry: (id: string) => `${PREFIX}entry.${id}`,
  /** The requests of a slot that are remembered without an entry. */
  done: (slot: number) => `${PREFIX}done.${slot}`,
  block: (block: number) => `${PREFIX}block.${block}`,
  users: `${PREFIX}users`,
};

/** A slot and the id it points to. */
type Slot = { readonly slot: number; readonly id: string };

/** Reads the text under a key; `undefined` where there is none. */
export async function readText(store: KeyValueStore, key: string): Promise<string | undefined> {
  const value = await store.get(key);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function hasBlock(store: KeyValueStore, block: number): Promise<boolean> {
  return block === 0 || (await readText(store, KEYS.block(block))) !== undefined;
}

/**
 * Takes a free slot for an entry that is already written, and makes the slot point to it.
 *
 * Without an atomic write, reading whether a slot is free is not enough: two tabs would both see that
 * it is. They decide with a splitter (Lamport's fast mutex, Moir and Anderson), which needs only reads
 * and writes: of all who try to follow the same earlier entry in a slot, at most one gets through. The
 * others take the next slot. A program that dies in between leaves a slot that nobody uses again,
 * never a lost entry.
 *
 * @param held - the slots that this program holds itself, or is about to take: they need no read
 */
export async function takeSlot(
  store: KeyValueStore,
  id: string,
  held: Set<number>,
): Promise<number> {
  for (let slot = 0; ; slot++) {
    if (slot % BLOCK === 0 && !(await hasBlock(store, slot / BLOCK))) {
      await store.set(KEYS.block(slot / BLOCK), '1');
    }
    if (held.has(slot)) continue;
    held.add(slot);
    if (await tryToTake(store, slot, id).catch((error) => release(held, slot, error))) return slot;
    held.delete(slot);
  }
}

function release(held: Set<number>, slot: number, error: unknown): never {
  held.delete(slot);
  throw error;
}

async function tryToTake(store: KeyValueStore, slot: number, id: string): Promise<boolean> {
  const key = KEYS.slot(slot);
  const earlier = await readText(store, key);
  if (earlier !== undefined && (await readText(store, KEYS.entry(earlier))) !== undefined)
    return false;
  const first = `${key}.${earlier ?? 'new'}.first`;
  const closed = `${key}.${earlier ?? 'new'}.closed`;
  await store.set(first, id);
  if ((await readText(store, closed)) !== undefined) return false;
  await store.set(closed, id);
  if ((await readText(store, first)) !== id) return false;
  // If the winner of this splitter cleaned up before we came, the slot has moved on.
  const isStale = (await readText(store, key)) !== earlier;
  if (!isStale) await store.set(key, id);
  await cleanUp(store, closed, first);
  return !isStale;
}

/** A key that stays does no harm: no later entry uses it. */
async function cleanUp(store: KeyValueStore, ...keys: readonly string[]): Promise<void> {
  try {
    for (const key of keys) await store.delete(key);
  } catch {
    // The slot is taken, and nothing has been sent yet.
  }
}

/** Every slot that points to an entry, whether or not the entry is still there. */
export async function* readSlots(store: KeyValueStore): AsyncGenerator<Slot> {
  for (let block = 0; await hasBlock(store, block); block++) {
    for (let slot = block * BLOCK; slot < (block + 1) * BLOCK; slot++) {
      const id = await readText(store, KEYS.slot(slot));
      if (id !== undefined) yield { slot, id };
    }
  }
}

/** The text of an entry; `undefined` once it is removed. */
export function readEntryText(store: KeyValueStore, id: string): Promise<string | undefined> {
  return readText(store, KEYS.entry(id));
}
