import { createHash } from 'node:crypto';

const MOST_LINES = 400;

/** A hash of everything that has happened: two runs with the same hash were identical. */
export class Trace {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];

  add(time: number, line: string): void {
    const { length } = this.#lines;
    // Many lines at once: an update of the hash costs more than the line.
    if (length === 2 * MOST_LINES) this.#hash.update(textOf(this.#lines.splice(0, MOST_LINES)));
    this.#lines.push(`${time} ${line}`);
  }

  /** The last lines, for a developer who looks for the cause of a violation. */
  last(count: number): readonly string[] {
    return this.#lines.slice(-count);
  }

  digest(): string {
    return this.#hash.copy().update(textOf(this.#lines)).digest('hex').slice(0, 32);
  }
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
