import type { Endpoint } from '../../contract/endpoint.js';
import { isObject } from '../../contract/formats/is-object.js';

/** A longer secret is searched for in parts: engines limit how much one alternative of a pattern matches. */
const LONGEST_PART = 2_000;
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
function secretPattern(secret: string): RegExp {
  const parts = partsOf(secret);
  const pattern = parts
    .flatMap((part) => [[...part].map(spellings).join(''), ...base64Patterns(part)])
    .join('|');
  return new RegExp(parts.length === 1 ? pattern : `(?:${pattern})+`, 'g');
}

/** A secret in parts of the same length, so that none is short enough to occur by chance. */
function partsOf(secret: string): string[] {
  const count = Math.ceil(secret.length / LONGEST_PART);
  const length = Math.ceil(secret.length / count);
  return Array.from({ length: count }, (_, index) =>
    secret.slice(index * length, (index + 1) * length),
  );
}

/** The replacement for a secret. */
export const REDACTED = '[redacted]';

/** Shorter texts occur by chance. */
export const SHORTEST_SECRET = 4;
const DEEPEST = 32;
const CONTROL_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** A header of a bearer token without its scheme. */
export const withoutScheme = (text: string) => text.replace(/^Bearer /, '');

/** The secrets of one call, which must not appear in errors and logs. */
export class SecretValues {
  readonly #values: readonly string[];
  #patterns: readonly RegExp[] | undefined;

  constructor(values: Iterable<unknown>) {
    const texts = [...values].filter((value): value is string => typeof value === 'string');
    const bare = texts.map(withoutScheme);
    const long = bare.filter((text) => text.length >= SHORTEST_SECRET);
    // The longest first, so that a secret which contains another is replaced whole.
    this.#values = [...new Set(long)].sort((one, other) => other.length - one.length);
  }

  /** These secrets and more. */
  with(values: Iterable<unknown>): SecretValues {
    return new SecretValues([...this.#values, ...values]);
  }

  /** The secrets of at least this length. */
  atLeast(length: number): SecretValues {
    return new SecretValues(this.#values.filter((value) => value.length >= length));
  }

  /** The text with every secret replaced, however it is spelled. */
  redact(text: string): string {
    this.#patterns ??= this.#values.map(secretPattern);
    return this.#patterns.reduce((clean, secret) => clean.replace(secret, REDACTED), text);
  }

  /** One line of server text, fit for a log or a terminal: no secrets, no control characters. */
  clean(text: string, length: number): string {
    return this.redact(text).replace(CONTROL_CHARACTERS, ' ').trim().slice(0, length);
  }

  /**
   * JSON with every secret replaced, in names and numbers too.
   *
   * @param isSecret - returns whether everything under a name is one
   */
  redactJson(value: unknown, isSecret: (name: string) => boolean = () => false): unknown {
    return this.#redactBelow(value, isSecret, false, 0);
  }

  /** @param isInSecret - whether the value lies under the name of a secret, so that only its shape stays */
  #redactBelow(
    value: unknown,
    isSecret: (name: string) => boolean,
    isInSecret: boolean,
    depth: number,
  ): unknown {
    if (typeof value === 'string') return isInSecret ? REDACTED : this.redact(value);
    if (typeof value === 'number') {
      return isInSecret || this.#values.includes(String(value)) ? REDACTED : value;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST || ArrayBuffer.isView(value)) return REDACTED;
    const below = (one: unknown, isInSecretToo: boolean) =>
      this.#redactBelow(one, isSecret, isInSecretToo, depth + 1);
    if (Array.isArray(value)) return value.map((one) => below(one, isInSecret));
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        this.redact(name),
        below(one, isInSecret || isSecret(name)),
      ]),
    );
  }
}

/** Every text in a value of JSON, at any depth. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

/** The texts under secret names in JSON, at any depth. */
export function secretsUnder(
  value: unknown,
  isSecret: (name: string) => boolean,
  depth = 0,
): string[] {
  if (typeof value !== 'object' || value === null || depth >= DEEPEST) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    isSecret(name) ? textsIn(one) : secretsUnder(one, isSecret, depth + 1),
  );
}

/**
 * Names of fields that hold secrets. They are redacted in error bodies, and in everything of an
 * endpoint outside the contract.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  (
    'password newPassword oldPassword currentPassword passcode secret secretKey ' +
    'token accessToken refreshToken idToken sessionToken bearer authorization ' +
    'clientSecret codeVerifier privateKey apiKey signingKey clientKey ' +
    'otp otpCode pin cvv cvc pan ssn sigMessage sigHash signature ' +
    'imageUrl hostedPageUrl sessionUrl onboardingId'
  )
    .split(' ')
    .map(normalise),
);

function normalise(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Whether a field of this name is secret: `refresh_token`, `refreshToken`, `refresh-token`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(normalise(name));
}

/** The last name in a path. For `user.*`, which stands for every field of `user`, it is `user`. */
const lastPart = (path: string) => path.replace(/\.\*$/, '').replace(/^.*\./, '');

/** Returns a test for input fields that hold secrets, at any depth. */
export function isSecretInput({ secretInputs = [], redactsNamed }: Endpoint) {
  return (name: string): boolean =>
    secretInputs.includes(lastPart(name)) ||
    (redactsNamed === true && isSecretName(lastPart(name)));
}

/**
 * Returns a test for fields of an error body that hold secrets. A failing service may send anything,
 * so every name that is secret elsewhere is secret here.
 */
export function isSecretInError({ secrets, secretInputs = [] }: Endpoint) {
  const names = new Set([...secrets.map(lastPart), ...secretInputs]);
  return (name: string): boolean => names.has(name) || isSecretName(name);
}

/** The last part of a path that stands for every field. */
const EVERY = '*';
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Fields that hold secrets, one level at a time. */
type SecretTree = Map<string, SecretTree | true>;

function insert(tree: SecretTree, [head = '', ...rest]: readonly string[]): void {
  const known = tree.get(head) ?? new Map();
  if (rest.length === 0 || known === true) {
    tree.set(head, true);
    return;
  }
  tree.set(head, known);
  insert(known, rest);
}

function toTree(paths: readonly string[]): SecretTree {
  const tree: SecretTree = new Map();
  for (const path of paths) insert(tree, path.split('.'));
  return tree;
}

function printRedacted(value: object, isSecret: (key: string) => boolean): void {
  // A caller's schema may return frozen objects. How they print is up to the caller.
  if (!Object.isExtensible(value)) return;
  const printed = () => {
    const copy: Record<string, unknown> = { ...value };
    for (const key of Object.keys(copy)) {
      if (copy[key] !== undefined && copy[key] !== null && isSecret(key)) copy[key] = REDACTED;
    }
    return copy;
  };
  Object.defineProperty(value, INSPECT, { value: printed, enumerable: false, configurable: true });
}

function hideWhenPrinted(
  value: unknown,
  tree: SecretTree,
  isSecret: (key: string) => boolean,
  depth = 0,
): void {
  if (depth >= DEEPEST) return;
  if (Array.isArray(value)) {
    for (const one of value) hideWhenPrinted(one, tree, isSecret, depth + 1);
    return;
  }
  if (!isObject(value)) return;
  if (ArrayBuffer.isView(value)) {
    // Bytes have no names: they are secret as a whole or not at all.
    if (tree.has(EVERY)) Object.defineProperty(value, INSPECT, { value: () => REDACTED });
    return;
  }
  for (const [key, inner] of tree) {
    if (inner instanceof Map) hideWhenPrinted(value[key], inner, isSecret, depth + 1);
  }
  printRedacted(value, (key) => tree.get(key) === true || tree.has(EVERY) || isSecret(key));
}

/**
 * Makes the secrets of a result print redacted in `console.log`. To the program they stay plain
 * values, `JSON.stringify` included: an image URL must reach the browser that shows it.
 *
 * @param paths - dotted paths of secret fields; `*` at the end stands for every field
 * @param isSecret - whether a field next to them is secret by its name
 */
export function printWithoutSecrets<T>(
  result: T,
  paths: readonly string[],
  isSecret: (key: string) => boolean = () => false,
): T {
  if (paths.length > 0) hideWhenPrinted(result, toTree(paths), isSecret);
  return result;
}

/** Makes every field with a secret name print redacted, at any depth; see {@link printWithoutSecrets}. */
function printWithoutNamedSecrets<T>(result: T, isSecret: (key: string) => boolean, depth = 0): T {
  if (typeof result !== 'object' || result === null || depth >= DEEPEST) return result;
  // Bytes have no names.
  if (ArrayBuffer.isView(result)) return result;
  for (const one of Object.values(result)) printWithoutNamedSecrets(one, isSecret, depth + 1);
  if (!Array.isArray(result) && Object.keys(result).some(isSecret)) printRedacted(result, isSecret);
  return result;
}

/** Makes the secrets of a result print redacted. */
export function hideSecrets(endpoint: Endpoint, data: unknown): unknown {
  if (endpoint.redactsNamed !== true) return printWithoutSecrets(data, endpoint.secrets);
  return printWithoutSecrets(
    printWithoutNamedSecrets(data, isSecretName),
    endpoint.secrets,
    isSecretName,
  );
}
