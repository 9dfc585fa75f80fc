import { createHash } from 'node:crypto';

const MOST_LINES = 400;

/** Everything that has happened, as a hash: two runs with the same hash were the same. */
export class Trace {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  count = 0;

  add(time: number, line: string): void {
    const text = `${time} ${line}`;
    this.count++;
    this.#hash.update(text).update('\n');
    this.#lines.push(text);
    if (this.#lines.length > 2 * MOST_LINES) this.#lines.splice(0, MOST_LINES);
  }

  /** The last lines, for a person who looks for the cause of a violation. */
  last(count: number): readonly string[] {
    return this.#lines.slice(-count);
  }

  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 32);
  }
}
