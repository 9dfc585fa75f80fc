import { isObject } from '../contract/formats/is-object.js';
import type { JournalEntry } from './journal-types.js';

/** The most characters of a stored value. As escaped JSON a character is one byte. */
const MOST_CHARACTERS = 1_900;

/** JSON in ASCII, so that its length in characters is its length in bytes. */
export function toAscii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Whether a text is short enough for every store. */
export function fits(text: string): boolean {
  return text.length <= MOST_CHARACTERS;
}

/** An entry as text. Details that are too long for a store are left out: the entry is then undecided. */
export function writeEntry(entry: JournalEntry): string {
  const text = toAscii(entry);
  return fits(text) ? text : toAscii({ ...entry, details: {} });
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isOptional(value: unknown, type: 'string' | 'number'): boolean {
  return value === undefined || typeof value === type;
}

/** Whether a value has every field of an entry, and no field of another type. */
export function isEntry(value: unknown): value is JournalEntry {
  return (
    isObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['operation'] === 'string' &&
    Number.isFinite(value['at']) &&
    (value['region'] === 'us' || value['region'] === 'global') &&
    isOptional(value['user'], 'string') &&
    isOptional(value['session'], 'string') &&
    isOptional(value['lasts'], 'number') &&
    isTexts(value['details'])
  );
}

/** Parses JSON; `undefined` for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The entry of a text. A damaged one stays in the list, because its request may have been sent. */
export function readEntry(id: string, text: string): JournalEntry {
  const value = parseJson(text);
  return isEntry(value) && value.id === id
    ? value
    : { id, operation: 'unreadable', at: 0, region: 'global', details: {} };
}
