const IS_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;
/** Where the first hyphen of a UUID is, and how far the second one is from it. */
const FIRST_HYPHEN = 8;
const NEXT_HYPHEN = 5;

/** A text as it is, in JSON, in a URL and in a form. */
const spellingsOf = (text: string) => [
  text,
  JSON.stringify(text).slice(1, -1),
  encodeURIComponent(text),
  new URLSearchParams({ '': text }).toString().slice(1),
];

/** The name of every secret that was ever used, by its value. */
export class Secrets {
  readonly #uuids = new Map<string, string>();
  readonly #others = new Map<string, string>();

  add(value: string, name: string): void {
    if (value.length <= 5) return;
    if (IS_UUID.test(value)) this.#uuids.set(value, name);
    else for (const spelling of spellingsOf(value)) this.#others.set(spelling, name);
  }

  /** The names of the secrets that a text holds. */
  namesIn(text: string): string[] {
    const names: string[] = [];
    for (const [value, name] of this.#others) if (text.includes(value)) names.push(name);
    // Most secrets are UUIDs, hundreds in a world: one pass from hyphen to hyphen finds them all.
    for (let at = text.indexOf('-'); at >= 0; at = text.indexOf('-', at + 1)) {
      if (text[at + NEXT_HYPHEN] !== '-') continue;
      const start = at - FIRST_HYPHEN;
      const name = this.#uuids.get(text.slice(start, start + UUID_LENGTH));
      if (name !== undefined) names.push(name);
    }
    return names;
  }
}
