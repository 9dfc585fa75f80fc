/** What stands in the place of a secret. */
export const REDACTED = '[redacted]';

const SHORTEST_SECRET = 4;
const CONTROL_CHARACTERS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/gu;

/** The secrets of one call, to be kept out of whatever the service says. */
export class SecretValues {
  readonly #values: readonly string[];

  constructor(values: Iterable<unknown>) {
    const texts = [...values].filter((value): value is string => typeof value === 'string');
    const bare = texts.map((text) => text.replace(/^Bearer /, ''));
    this.#values = [...new Set(bare)]
      .filter((text) => text.length >= SHORTEST_SECRET)
      .sort((one, other) => other.length - one.length);
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

const DEEPEST = 32;
