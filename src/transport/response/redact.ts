import { secretPattern } from './secret-pattern.js';

/** The replacement for a secret. */
export const REDACTED = '[redacted]';

const SHORTEST_SECRET = 4;
const DEEPEST = 32;
const CONTROL_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** The secrets of one call, which must not appear in errors and logs. */
export class SecretValues {
  readonly #values: readonly string[];
  #patterns: readonly RegExp[] | undefined;

  constructor(values: Iterable<unknown>) {
    const texts = [...values].filter((value): value is string => typeof value === 'string');
    const bare = texts.map((text) => text.replace(/^Bearer /, ''));
    const long = bare.filter((text) => text.length >= SHORTEST_SECRET);
    // The longest first, so that a secret which contains another is replaced whole.
    this.#values = [...new Set(long)].sort((one, other) => other.length - one.length);
  }

  /** These secrets and more. */
  with(values: Iterable<unknown>): SecretValues {
    return new SecretValues([...this.#values, ...values]);
  }

  /** Those of at least this length. */
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
