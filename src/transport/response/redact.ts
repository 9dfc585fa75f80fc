/** The replacement for a secret. */
export const REDACTED = '[redacted]';

const SHORTEST_SECRET = 4;
const DEEPEST = 32;
const CONTROL_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

function urlEncoded(text: string): string[] {
  try {
    const encoded = encodeURIComponent(text);
    return [encoded, encoded.replaceAll('%20', '+')];
  } catch {
    // A lone surrogate cannot be sent in a URL either.
    return [];
  }
}

/** The forms in which a response may contain a secret: plain, in JSON, in a URL or in a form. */
function spellings(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson, JSON.stringify(inJson).slice(1, -1), ...urlEncoded(secret)];
}

/** The secrets of one call, which must not appear in errors and logs. */
export class SecretValues {
  readonly #values: readonly string[];

  constructor(values: Iterable<unknown>) {
    const texts = [...values].filter((value): value is string => typeof value === 'string');
    const bare = texts.map((text) => text.replace(/^Bearer /, ''));
    const long = bare.filter((text) => text.length >= SHORTEST_SECRET);
    // The longest first, so that a secret which contains another is replaced whole.
    this.#values = [...new Set(long.flatMap(spellings))].sort(
      (one, other) => other.length - one.length,
    );
  }

  /** These secrets and more. */
  with(values: Iterable<unknown>): SecretValues {
    return new SecretValues([...this.#values, ...values]);
  }

  /** The text with every secret replaced. */
  redact(text: string): string {
    return this.#values.reduce((clean, secret) => clean.replaceAll(secret, REDACTED), text);
  }

  /** One line of server text, fit for a log or a terminal: no secrets, no control characters. */
  clean(text: string, length: number): string {
    return this.redact(text).replace(CONTROL_CHARACTERS, ' ').trim().slice(0, length);
  }

  /** JSON with every secret replaced. */
  redactJson(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return REDACTED;
    if (Array.isArray(value)) return value.map((one) => this.redactJson(one, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        this.redact(key),
        this.redactJson(one, depth + 1),
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
