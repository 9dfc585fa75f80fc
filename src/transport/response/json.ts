/** Keys that data from outside must not have: through them it could reach the prototype of objects. */
export const UNSAFE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

// The reviver is slow, so it runs only on text that may hold such a key; `\u` can spell one.
const MAY_BE_UNSAFE = /__proto__|constructor|prototype|\\u/;

/** Text that is not JSON. */
class NotJson {}

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

/** Parses JSON. `undefined` for any other text. */
export function tryParse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the value if it is a string that is not blank. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Returns the value, or the object or array that it contains as JSON text. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  return tryParse(value) ?? value;
}
