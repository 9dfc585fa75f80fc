import { isObject } from '../../contract/formats/is-object.js';
import { UNSAFE_KEYS } from '../../contract/formats/unsafe-keys.js';

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

/** One object of an error body. */
export type Layer = Readonly<Record<string, unknown>>;

const DEEPEST = 4;

/** The fields that may hold the error itself, as an object or as JSON in a string. */
const HOLDERS = ['message', 'error', 'detail'] as const;

/** The fields that may hold objects with more about it. */
const DETAILS = ['details', 'errors'] as const;

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

/** Returns the value, or the object or array that it holds as JSON text. */
export function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  return tryParse(value) ?? value;
}

/** The objects that state the error, the innermost first: the words nearest to it count most. */
export function layersOf(body: unknown, depth = 0): Layer[] {
  if (!isObject(body) || depth > DEEPEST) return [];
  return [...HOLDERS.flatMap((name) => layersOf(unpacked(body[name]), depth + 1)), body];
}

/** The objects in `details` and `errors`, which add to what the layers state. */
export function detailsOf(layers: readonly Layer[]): Layer[] {
  return layers.flatMap((layer) => DETAILS.map((name) => unpacked(layer[name]))).filter(isObject);
}
