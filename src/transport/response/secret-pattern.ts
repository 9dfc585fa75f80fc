const LONGEST_PATTERN = 2_000;
const SHORTEST_BASE64 = 8;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** What programs put before a character that they escape; nested JSON doubles it. */
const ESCAPE = String.raw`\\{1,7}`;
const CONTROL: Readonly<Record<string, string>> = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
};
const ENTITY: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const literal = (text: string) =>
  text.replace(/[^A-Za-z0-9]/g, (one) => (one < '\x7f' ? `\\${one}` : one));
/** Hexadecimal digits in either case. */
const hex = (code: number, length: number) =>
  code
    .toString(16)
    .padStart(length, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** The bytes of a character in UTF-8; `undefined` for half of a surrogate pair. */
function bytesOf(character: string): readonly number[] | undefined {
  const code = character.charCodeAt(0);
  if (code < 0x80) return [code];
  try {
    const encoded = encodeURIComponent(character).slice(1).split('%');
    return encoded.map((byte) => Number.parseInt(byte, 16));
  } catch {
    return undefined;
  }
}

/** A pattern for one character in every spelling: as it is, in JSON, in a URL or form, in HTML. */
function spellings(character: string): string {
  if (/^[A-Za-z0-9]$/.test(character)) return character;
  const inJson = [...Array(character.length).keys()]
    .map((unit) => `${ESCAPE}u${hex(character.charCodeAt(unit), 4)}`)
    .join('');
  const percent = bytesOf(character)?.map((byte) => `%(?:25){0,3}${hex(byte, 2)}`);
  const entity = ENTITY[character];
  const code = character.codePointAt(0) ?? 0;
  return `(?:${[
    `(?:${ESCAPE})?${literal(character)}`,
    inJson,
    ...(CONTROL[character] === undefined ? [] : [`${ESCAPE}${CONTROL[character]}`]),
    ...(percent === undefined ? [] : [percent.join('')]),
    ...(character === ' ' ? ['\\+'] : []),
    `&#0{0,4}${code};`,
    `&#[xX]0{0,4}${hex(code, 1)};`,
    ...(entity === undefined ? [] : [entity]),
  ].join('|')})`;
}

/**
 * The characters of base64 that a text has after `offset` other bytes, without those at the ends that
 * depend on its neighbours.
 */
function base64Core(text: string, offset: number): string {
  const bytes = [...Array(offset).fill(0), ...Array.from(text, (one) => one.charCodeAt(0))];
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const sixes = bits.match(/.{6}/g) ?? [];
  return sixes
    .slice(Math.ceil((offset * 8) / 6))
    .map((six) => BASE64[Number.parseInt(six, 2)])
    .join('');
}

/** Patterns for a text in base64, alone or inside a longer text, in both alphabets. */
function base64Patterns(text: string): string[] {
  if (text.length < SHORTEST_BASE64 || !/^[\x20-\x7e]+$/.test(text)) return [];
  return [0, 1, 2].map((offset) =>
    base64Core(text, offset).replace(/[+/]/g, (one) => (one === '+' ? '[-+]' : '[/_]')),
  );
}

/**
 * A pattern that finds a secret in every spelling in which a response may repeat it: as it is, escaped
 * in JSON (also in JSON inside JSON), percent-encoded, in a form, in HTML, and in base64.
 */
export function secretPattern(secret: string): RegExp {
  const plain =
    secret.length > LONGEST_PATTERN
      ? [secret, JSON.stringify(secret).slice(1, -1)].map(literal)
      : [[...secret].map(spellings).join('')];
  return new RegExp([...plain, ...base64Patterns(secret.slice(0, LONGEST_PATTERN))].join('|'), 'g');
}
