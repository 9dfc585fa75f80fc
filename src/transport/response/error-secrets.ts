import { tryParse } from './error-layers.js';
import { secretsUnder, textsIn } from './redact.js';

const DEEPEST = 3;
const BRACKETS = [
  ['{', '}'],
  ['[', ']'],
] as const;

/** JSON in a text, alone or after words: `Request failed: {"token":"…"}`. */
function embeddedJson(text: string): unknown {
  for (const [open, close] of BRACKETS) {
    const from = text.indexOf(open);
    const to = text.lastIndexOf(close);
    const value = from === -1 || to < from ? undefined : tryParse(text.slice(from, to + 1));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The values in text that only looks like JSON, because it was cut off. */
function brokenPairs(text: string, isSecret: (name: string) => boolean): string[] {
  const pairs = text.matchAll(/"([\w-]{1,40})\\?"\s{0,9}:\s{0,9}\\?"([^"\\]*)/g);
  return [...pairs].flatMap(([, name = '', value = '']) => (isSecret(name) ? [value] : []));
}

/**
 * The values under secret names in an error body, including JSON that one of its texts holds.
 *
 * @param body - parsed JSON, or the text of a body that is not JSON
 */
export function secretsInside(
  body: unknown,
  isSecret: (name: string) => boolean,
  depth = 0,
): string[] {
  if (depth > DEEPEST) return [];
  const inTexts = textsIn(body).flatMap((text) => {
    if (!text.includes('"')) return [];
    const inner = embeddedJson(text);
    return inner === undefined
      ? brokenPairs(text, isSecret)
      : secretsInside(inner, isSecret, depth + 1);
  });
  return [...secretsUnder(body, isSecret), ...inTexts];
}
