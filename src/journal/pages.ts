import { type KeyValueStore, readText, useStore } from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import type { JournalEntry } from './journal-types.js';
import { type Page, parsePage, type StoredEntry, toAscii, unreadable } from './stored-entry.js';

const PREFIX = 'card-platform.journal.';
/** The most characters of a page. As escaped JSON a character is one byte. */
const MOST_CHARACTERS = 2_040;
/** Entries grow a little when they are looked up. */
const MOST_WHEN_ADDED = 1_750;
/** More pages than requests can be open at once. */
const MOST_PAGES = 2_000;
/** How long a request is remembered. An older one cannot be taken for a later one. */
const REMEMBERED_MS = 48 * 60 * 60_000;

/** Everything that the journal remembers. */
export type Kept = {
  readonly entries: readonly StoredEntry[];
  /** Requests up to this time may be missing. */
  readonly missingUntil: number;
};

function write(page: Page, most = MOST_CHARACTERS): string | undefined {
  const text = toAscii(page);
  return text.length <= most ? text : undefined;
}

/** Adds an entry, and forgets old ones; `undefined` if there is no room. */
function withEntry(page: Page, entry: StoredEntry): string | undefined {
  const isOld = ({ state, at }: StoredEntry) =>
    state !== undefined && at < entry.at - REMEMBERED_MS;
  const old = page.entries.filter(isOld);
  // An entry may stay open for longer. Its lookup must then know that requests are missing.
  const missingUntil = old.reduce<number | undefined>(
    (latest, { at }) => Math.max(latest ?? 0, at),
    page.missingUntil,
  );
  const entries = page.entries.filter((each) => !isOld(each));
  const text = write({ entries: [...entries, entry], missingUntil }, MOST_WHEN_ADDED);
  if (text !== undefined || entries.length > 0) return text;
  // Too long for any page. Without its details the entry is `undecided`.
  return write({ entries: [{ ...entry, details: {} }], missingUntil });
}

/**
 * The entries of a journal in its store. A few share a key, so that a store without a list of its
 * keys can be read: pages are numbered, and the first one that is missing is the end. Every change is
 * one `update` of one page.
 */
export class Pages {
  readonly #store: KeyValueStore;
  readonly #clock: Clock;
  /** The first page that may have room. */
  #next = 0;

  constructor(store: KeyValueStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  #update(key: string, change: (text: string | undefined) => string | undefined): Promise<unknown> {
    // A store may pass on null for a key that does not exist.
    return useStore(this.#clock, 'update', () =>
      this.#store.update(key, (text) => change(text ?? undefined)),
    );
  }

  /** Adds an entry. */
  async add(entry: StoredEntry): Promise<void> {
    for (let number = this.#next; number < MOST_PAGES; number++) {
      let isAdded = false;
      await this.#update(PREFIX + number, (text) => {
        const page = parsePage(text, `page.${number}`);
        const next = page && withEntry(page, entry);
        isAdded = next !== undefined;
        return next ?? text;
      });
      this.#next = number;
      if (isAdded) return;
    }
    throw new Error('the journal is full: reconcile and remove its entries');
  }

  async *#pages(): AsyncGenerator<{ number: number; page: Page | undefined }> {
    for (let number = 0; number < MOST_PAGES; number++) {
      const text = await readText(this.#store, this.#clock, PREFIX + number);
      if (text === undefined) return;
      yield { number, page: parsePage(text, `page.${number}`) };
    }
  }

  /** Reads everything. A damaged page is one `unreadable` entry. */
  async read(): Promise<Kept> {
    const entries: StoredEntry[] = [];
    let missingUntil = 0;
    for await (const { number, page } of this.#pages()) {
      entries.push(...(page?.entries ?? [unreadable(`page.${number}`)]));
      missingUntil = Math.max(missingUntil, page?.missingUntil ?? 0);
    }
    return { entries, missingUntil };
  }

  /**
   * Changes the entry with this id, or removes it where `change` returns `undefined`. If an unreadable
   * one is removed, requests up to the given time are missing.
   */
  async change(
    id: string,
    change: (entry: StoredEntry) => StoredEntry | undefined,
    now: number,
  ): Promise<void> {
    for await (const { number, page } of this.#pages()) {
      const name = `page.${number}`;
      if (page === undefined ? id !== name : !page.entries.some((each) => each.id === id)) continue;
      await this.#update(PREFIX + number, (text) => {
        const current = parsePage(text, name) ?? { entries: [unreadable(name)] };
        const entries = current.entries.flatMap((each) =>
          each.id === id ? (change(each) ?? []) : [each],
        );
        const isLost = current.entries.some(
          (each) => each.id === id && each.operation === 'unreadable',
        );
        const missingUntil = isLost
          ? Math.max(current.missingUntil ?? 0, now)
          : current.missingUntil;
        return write({ entries, missingUntil }) ?? text;
      });
      this.#next = Math.min(this.#next, number);
      return;
    }
  }
}

const open = new WeakMap<object, Pages>();

/** The pages of a store: one object for all clients, which remembers where there is room. */
export function pagesOf(store: KeyValueStore, clock: Clock): Pages {
  const pages = open.get(store) ?? new Pages(store, clock);
  open.set(store, pages);
  return pages;
}

/** The requests that are open, oldest first. */
export function openEntries({ entries }: Kept): JournalEntry[] {
  const isOpen = ({ state }: StoredEntry) => state === undefined;
  return entries.filter(isOpen).sort((one, other) => one.at - other.at);
}
