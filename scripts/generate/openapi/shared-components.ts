import { isDeepStrictEqual } from 'node:util';
import type { Json } from './json-schema.js';

/** Names parts of a document that occur more than once, so that each is written once. */
export class SharedComponents {
  /** By name. */
  readonly byName: Record<string, Json> = {};
  readonly #folder: string;
  readonly #seen: { name: string; group: string; part: Json; places: Json[] }[] = [];

  /** @param folder - of `components`, for example `responses` */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the reference to write in place of a part.
   *
   * @param group - makes the name unique where several different parts have it
   */
  add(name: string, group: string, part: Json): Json {
    const place = { ...part };
    const known = this.#seen.find((one) => isDeepStrictEqual(one.part, part));
    if (known === undefined) this.#seen.push({ name, group, part, places: [place] });
    else known.places.push(place);
    return place;
  }

  /** Replaces every part that occurs more than once by a reference. */
  share(): void {
    // The part that occurs most often has the shorter name.
    const byUse = [...this.#seen].sort((one, other) => other.places.length - one.places.length);
    for (const { name: short, group, part, places } of byUse) {
      if (places.length === 1) continue;
      const name = [short, `${short}.${group}`].find((one) => this.byName[one] === undefined);
      if (name === undefined) throw new Error(`two components are named ${short}.${group}`);
      this.byName[name] = part;
      for (const place of places) {
        for (const key of Object.keys(place)) delete place[key];
        place['$ref'] = `#/components/${this.#folder}/${name}`;
      }
    }
  }
}
