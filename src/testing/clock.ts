import { requireTime } from './check-options.js';

/** Calls each function, also after one that throws, and throws the first error at the end. */
export function callEach(functions: Iterable<() => void>): void {
  const errors: unknown[] = [];
  for (const one of functions) {
    try {
      one();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** The clock of a mock platform. It moves only when `advance` or `set` is called. */
export class MockClock {
  readonly #startsAt: number;
  readonly #listeners = new Set<() => void>();
  #now: number;

  constructor(startsAt: number) {
    this.#startsAt = requireTime('startsAt', startsAt);
    this.#now = startsAt;
  }

  /** Returns the current time in milliseconds since 1970. */
  now(): number {
    return this.#now;
  }

  /** Returns the current time in ISO 8601. */
  iso(): string {
    return new Date(this.#now).toISOString();
  }

  /** Moves the clock forward by milliseconds. */
  advance(ms: number): void {
    this.#now = requireTime('the time after advance', this.#now + ms);
    this.#report();
  }

  /** Sets the clock to a time, by default to its start. */
  set(now = this.#startsAt): void {
    this.#now = requireTime('now', now);
    this.#report();
  }

  /** Calls a function after each change of the time. Returns a function that removes it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #report(): void {
    callEach(this.#listeners);
  }
}

const UNITS: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** A duration: milliseconds, or text such as `10 minutes`. */
export type Duration =
  | number
  | `${number} ${'millisecond' | 'second' | 'minute' | 'hour' | 'day'}${'' | 's'}`;

/**
 * Converts a duration to milliseconds.
 *
 * @throws TypeError for anything that is not a finite, non-negative duration
 */
export function toMilliseconds(duration: Duration): number {
  if (Number.isFinite(duration) && Number(duration) >= 0) return Number(duration);
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ([a-z]+?)s?$/.exec(String(duration)) ?? [];
  const scale = UNITS[unit];
  if (amount === undefined || scale === undefined) {
    throw new TypeError(
      `"${duration}" is not a duration: pass milliseconds, or text such as "10 minutes"`,
    );
  }
  return Number(amount) * scale;
}
