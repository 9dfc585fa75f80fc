import { UNSAFE_KEYS } from '../../contract/formats/unsafe-keys.js';

// The reviver is slow, so it runs only on text that may hold such a key; `\u` can spell one.
const MAY_BE_UNSAFE = /__proto__|constructor|prototype|\\u/;

/** Text that is not JSON. */
export class NotJson {}

/**
 * Parses JSON without the keys that change an object's prototype.
 *
 * @throws NotJson
 */
export function parseJson(text: string): unknown {
  try {
    if (!MAY_BE_UNSAFE.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value: unknown) => (UNSAFE_KEYS.has(key) ? undefined : value));
  } catch {
    throw new NotJson();
  }
}
