import { isObject } from '../contract/formats/is-object.js';
import type { JournalEntry } from './journal-types.js';

/**
 * A request that the journal remembers. Open without a `state`. `executed`: its response was read, or
 * the caller removed it with that verdict. `possible`: the caller removed it without a verdict.
 */
export type StoredEntry = Readonly<JournalEntry> & {
  readonly state?: 'executed' | 'possible' | undefined;
  /** The service's time of the response that was read. */
  readonly doneBy?: number | undefined;
};

/** JSON in ASCII, so that its length in characters is its length in bytes. */
export function toAscii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

const isOptionalText = (value: unknown) => value === undefined || typeof value === 'string';
const isOptionalTime = (value: unknown) =>
  value === undefined || (typeof value === 'number' && value >= 0 && Number.isFinite(value));

const TIMES = ['lasts', 'since', 'until', 'emptySince', 'handledAt', 'doneBy'] as const;

/** Whether a value has every field of an entry, and no field of another type. */
export function isEntry(value: unknown): value is JournalEntry {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['operation'] === 'string' &&
    Number.isFinite(value['at']) &&
    (value['region'] === 'us' || value['region'] === 'global') &&
    isOptionalText(value['user']) &&
    isOptionalText(value['tokenHash']) &&
    TIMES.every((name) => isOptionalTime(value[name])) &&
    [undefined, 'executed', 'not_executed'].some((verdict) => verdict === value['verdict']) &&
    isTexts(value['details'])
  );
}

function isStored(value: unknown): value is StoredEntry {
  const { state } = Object(value) as Partial<StoredEntry>;
  return isEntry(value) && (state === undefined || state === 'executed' || state === 'possible');
}

/** An entry for a text that is damaged. It stays in the list, because its request may have been sent. */
export function unreadable(id: string): StoredEntry {
  return { id, operation: 'unreadable', at: 0, region: 'global', details: {} };
}

/** Entries that share a key of the store, and the time up to which others may be missing. */
export type Page = {
  readonly entries: readonly StoredEntry[];
  /** Requests up to this time may be missing: there was no room for them, or they were damaged. */
  readonly missingUntil?: number | undefined;
};

/** Parses JSON; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a page; `undefined` if it is damaged. A damaged entry in it is `unreadable`. */
export function parsePage(text: string | undefined, name: string): Page | undefined {
  if (text === undefined) return { entries: [] };
  const value = parseJson(text);
  if (!isObject(value) || !Array.isArray(value['entries'])) return undefined;
  const missingUntil = value['missingUntil'];
  if (!isOptionalTime(missingUntil)) return undefined;
  const entries = value['entries'].map((entry: unknown, index) => {
    const { id } = Object(entry) as Partial<StoredEntry>;
    return isStored(entry) ? entry : unreadable(typeof id === 'string' ? id : `${name}.${index}`);
  });
  return { entries, missingUntil: missingUntil as number | undefined };
}
