import { requireTime } from './numbers.js';

/** The platform's own time, which moves only when it is told to. */
export class MockClock {
  readonly #startsAt: number;
  #now: number;

  constructor(startsAt: number) {
    this.#startsAt = requireTime('startsAt', startsAt);
    this.#now = startsAt;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#now;
  }

  /** ISO 8601. */
  iso(): string {
    return new Date(this.#now).toISOString();
  }

  /** Moves time on. */
  advance(ms: number): void {
    this.#now = requireTime('the time after advance', this.#now + ms);
  }

  /** Back to a time; to the beginning when none is given. */
  set(now = this.#startsAt): void {
    this.#now = requireTime('now', now);
  }
}

const UNITS: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** A duration: milliseconds, or words such as `10 minutes`. */
export type Duration =
  | number
  | `${number} ${'millisecond' | 'second' | 'minute' | 'hour' | 'day'}${'' | 's'}`;

/**
 * A duration in milliseconds.
 *
 * @throws TypeError for anything that is not a finite duration from zero up
 */
export function toMilliseconds(duration: Duration): number {
  if (Number.isFinite(duration) && Number(duration) >= 0) return Number(duration);
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ([a-z]+?)s?$/.exec(String(duration)) ?? [];
  const scale = UNITS[unit];
  if (amount === undefined || scale === undefined) {
    throw new TypeError(`"${duration}" is not a duration such as "10 minutes" or milliseconds`);
  }
  return Number(amount) * scale;
}
