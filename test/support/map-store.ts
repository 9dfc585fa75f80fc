import type { KeyValueStore } from '../../src/index.js';

/** A store in memory that a test can look into. */
export class MapStore extends Map<string, string> implements KeyValueStore {
  update(key: string, change: (current: string | undefined) => string | undefined): void {
    const next = change(this.get(key));
    if (next === undefined) this.delete(key);
    else this.set(key, next);
  }
}
