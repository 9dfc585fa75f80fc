/** The length of a CVC. */
const SHORTEST_SECRET = 3;

type Form = {
  readonly test: RegExp;
  readonly write: (count: number, text: string) => string;
};

const padded = (count: number, length: number) => String(count).padStart(length, '0');
const hex = (count: number, text: string) => `0x${padded(count, text.length - 2)}`;

/** Forms that a replacement keeps, so that a replayed fixture still fits the contract. */
const FORMS: readonly Form[] = [
  {
    test: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
    write: (count) => `00000000-0000-4000-8000-${padded(count, 12)}`,
  },
  { test: /^0x(?:[\da-f]{40}|[\da-f]{64}|[\da-f]{130})$/i, write: hex },
  { test: /^[^\s@]+@[^\s@]+$/, write: (count) => `person-${count}@example.com` },
  { test: /^https?:\/\//i, write: (count) => `https://redacted.example/${count}` },
  { test: /^\d{4}\/\d{2}$/, write: () => '2030/01' },
  { test: /^\d{4}-\d{2}-\d{2}$/, write: () => '1990-01-01' },
  { test: /^\+\d[\d ().-]{5,24}$/, write: (count) => `+1555${padded(count, 7)}` },
  { test: /^\d{1,18}$/, write: (count, text) => padded(count, text.length) },
  { test: /^Bearer /i, write: (count) => `Bearer redacted-${count}` },
];

/**
 * Replacements that are the same wherever the same value occurs, so that fixtures still belong
 * together: the user of one is the user of another. They are counted, never computed from the value:
 * a hash of a PIN can be reversed.
 */
export class Placeholders {
  readonly #byText = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Returns the replacement of a value. An empty text stays empty. */
  replace(text: string): string {
    if (text.trim() === '') return '';
    const key = /^0x/i.test(text) ? text.toLowerCase() : text;
    const known = this.#byText.get(key);
    if (known !== undefined) return known;
    const replacement = this.#next(text);
    this.#byText.set(key, replacement);
    return replacement;
  }

  /**
   * Whether a value was replaced somewhere. It is then replaced everywhere, unless it is so short that
   * it occurs by chance.
   */
  has(text: string): boolean {
    return text.length >= SHORTEST_SECRET && this.#byText.has(text);
  }

  /** Returns the replacement of a name: of a field, or of a part of a path. */
  replaceName(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const replacement = `hidden-name-${this.#names.size + 1}`;
    this.#names.set(name, replacement);
    return replacement;
  }

  #next(text: string): string {
    const form = FORMS.find(({ test }) => test.test(text));
    const count = this.#byText.size + 1;
    const written = form?.write(count, text);
    // A secret that looks like its own replacement must not stay.
    const isSame = written === undefined || text.includes(written);
    return isSame ? `redacted-${count}` : written;
  }
}
