import {
  JOURNAL_PAGES,
  type KeyValueStore,
  readText,
  updateText,
} from '../stores/key-value-store.js';
import type { Clock } from '../transport/attempts/clock.js';
import { DEFAULT_SETTLE_TIME_MS, windowOf } from './entry-window.js';
import type { JournalEntry } from './journal-types.js';
import { type Page, parsePage, type StoredEntry, toAscii, unreadable } from './stored-entry.js';

/** The most characters of a page. As escaped JSON a character is one byte. */
const MOST_CHARACTERS = 2_040;
/**
 * What an entry grows by at most until it is removed: 142 characters for `until`, `emptySince`, `verdict`,
 * `handledAt`, `doneBy` and `state`. A page grows by less when it forgets entries.
 */
const GROWTH = 150;
/** More pages than requests can be open at once. */
const MOST_PAGES = 2_000;
/** How long a request is remembered after its effect. */
const REMEMBERED_MS = 48 * 60 * 60_000;
/** Requests are missing, and no time of the service is known by which their effects had happened. */
const NOT_YET_KNOWN = Number.MAX_SAFE_INTEGER;

/** Everything that the journal remembers. */
export type Kept = {
  readonly entries: readonly StoredEntry[];
  /** Requests up to this time of the service may be missing. */
  readonly missingUntil: number;
};

/** Writes a page with a new entry; `undefined` if it has no room for it. */
function write(page: Page): string | undefined {
  const text = toAscii(page);
  return text.length <= MOST_CHARACTERS ? text : undefined;
}

/** The latest time of the service that an entry shows. */
function latestOf({ since, until, emptySince, doneBy }: StoredEntry): number | undefined {
  const times = [since, until, emptySince, doneBy].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** Until when a request that has ended may have had its effect. */
function lastEffectOf(request: StoredEntry): number {
  const { end } = windowOf(request, DEFAULT_SETTLE_TIME_MS);
  return Number.isFinite(end) ? end : NOT_YET_KNOWN;
}

/** Adds an entry, and forgets old ones; `undefined` if there is no room. */
function withEntry(page: Page, added: StoredEntry): string | undefined {
  // Another process may know a later time of the service.
  const known = [added, ...page.entries].flatMap((each) => latestOf(each) ?? []);
  const since = known.length === 0 ? undefined : Math.max(...known);
  const entry = since === undefined ? added : { ...added, since };
  const isOld = (each: StoredEntry) => {
    if (each.state === undefined) return false;
    const last = lastEffectOf(each);
    if (last !== NOT_YET_KNOWN) return last < (since ?? 0) - REMEMBERED_MS;
    // Where the service's time is never known, nothing is decided, and the store must not grow.
    return each.at < entry.at - REMEMBERED_MS;
  };
  const old = page.entries.filter(isOld);
  // An entry may stay open for longer. Its lookup must then know that requests are missing.
  const missingUntil = old.reduce<number | undefined>(
    (latest, each) => Math.max(latest ?? 0, lastEffectOf(each)),
    page.missingUntil,
  );
  const entries = page.entries.filter((each) => !isOld(each));
  const next = { entries: [...entries, entry], missingUntil };
  const fits = toAscii(next).length + GROWTH * (entries.length + 2) <= MOST_CHARACTERS;
  if (fits) return write(next);
  if (entries.length > 0) return undefined;
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

  #update(key: string, change: (text: string | undefined) => string | undefined): Promise<void> {
    return updateText(this.#store, this.#clock, key, change);
  }

  /** Adds an entry. */
  async add(entry: StoredEntry): Promise<void> {
    const first = this.#next;
    for (let number = first; number < MOST_PAGES; number++) {
      let isAdded = false;
      let isEmptied = false;
      await this.#update(JOURNAL_PAGES + number, (text) => {
        // This page was there before. Readers stop at the first page that is missing.
        isEmptied = text === undefined && number === first && number > 0;
        if (isEmptied) return undefined;
        const page = parsePage(text, `page.${number}`);
        const next = page && withEntry(page, entry);
        isAdded = next !== undefined;
        return next ?? text;
      });
      if (isEmptied) {
        this.#next = 0;
        return this.add(entry);
      }
      this.#next = number;
      if (isAdded) return;
    }
    throw new Error('the journal is full: reconcile and remove its entries');
  }

  async *#pages(): AsyncGenerator<{ number: number; page: Page | undefined }> {
    for (let number = 0; number < MOST_PAGES; number++) {
      const text = await readText(this.#store, this.#clock, JOURNAL_PAGES + number);
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
   * Changes the entry with this id, or removes it where `change` returns `undefined`.
   *
   * @param isForgotten - whether an unreadable one that is removed may be of any request until now
   */
  async change(
    id: string,
    change: (entry: StoredEntry) => StoredEntry | undefined,
    isForgotten = false,
  ): Promise<void> {
    for await (const { number, page } of this.#pages()) {
      const name = `page.${number}`;
      if (page === undefined ? id !== name : !page.entries.some((each) => each.id === id)) continue;
      await this.#update(JOURNAL_PAGES + number, (text) => {
        const current = parsePage(text, name) ?? { entries: [unreadable(name)] };
        const entries = current.entries.flatMap((each) =>
          each.id === id ? (change(each) ?? []) : [each],
        );
        const isLost =
          isForgotten &&
          current.entries.some((each) => each.id === id && each.operation === 'unreadable');
        const missingUntil = isLost ? NOT_YET_KNOWN : current.missingUntil;
        return toAscii({ entries, missingUntil });
      });
      this.#next = Math.min(this.#next, number);
      return;
    }
  }

  /** Adds a time of the service that was seen after these entries were read. */
  async noteTime({ entries: read, missingUntil }: Kept, time: number): Promise<void> {
    const isMissing = missingUntil === NOT_YET_KNOWN;
    const ids = new Set(
      read
        .filter(
          ({ until, doneBy, operation }) =>
            (until ?? doneBy) === undefined && operation !== 'unreadable',
        )
        .map(({ id }) => id),
    );
    if (ids.size === 0 && !isMissing) return;
    for await (const { number, page } of this.#pages()) {
      const isConcerned = (each: Page) =>
        (isMissing && each.missingUntil === NOT_YET_KNOWN) ||
        each.entries.some(({ id }) => ids.has(id));
      if (page === undefined || !isConcerned(page)) continue;
      await this.#update(JOURNAL_PAGES + number, (text) => {
        const current = parsePage(text, `page.${number}`);
        if (current === undefined) return text;
        const entries = current.entries.map((each) =>
          ids.has(each.id) && (each.until ?? each.doneBy) === undefined
            ? { ...each, until: time }
            : each,
        );
        const isUnknown = isMissing && current.missingUntil === NOT_YET_KNOWN;
        const missing = isUnknown ? time : current.missingUntil;
        return toAscii({ entries, missingUntil: missing });
      });
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
