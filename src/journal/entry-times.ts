import type { JournalEntry } from './journal-types.js';
import type { Reads } from './reads.js';

/** How far the client's clock may be from the service's, beyond what the responses show. */
const CLOCK_DIFFERENCE_MS = 5 * 60_000;
/** How long the service may take to act on a request. */
const LONGEST_WORK_MS = 5 * 60_000;
/** How wrong a time may be if the clock was set after the entry was written: up to a time zone. */
const WRONG_CLOCK_MS = 24 * 60 * 60_000;

/** When a request may have had its effect, by the service's clock. */
export type EntryTimes = {
  /** Whether a time is within what clocks and the service's work allow. */
  isLikely(time: number): boolean;
  /** Whether a time cannot be excluded. A time that cannot be read is always possible. */
  isPossible(time: number): boolean;
  /** The earliest time that cannot be excluded. */
  readonly earliest: number;
  /** Whether an effect that is still missing will no longer appear. */
  readonly isSettled: boolean;
};

/** Returns when a request may have had its effect. */
export type TimesOf = (request: Pick<JournalEntry, 'at' | 'lasts'>) => EntryTimes;

/** Returns the times of a request. Call it after the reads, which show the service's clock. */
export function timesOf(
  { at: written, lasts = 0 }: Parameters<TimesOf>[0],
  reads: Pick<Reads, 'now' | 'clockOffset'>,
  settleTime: number,
): EntryTimes {
  const at = written + (reads.clockOffset ?? 0);
  const earliest = Math.min(written, at) - WRONG_CLOCK_MS;
  return {
    isLikely: (time) =>
      time >= at - CLOCK_DIFFERENCE_MS &&
      time <= at + lasts + CLOCK_DIFFERENCE_MS + LONGEST_WORK_MS,
    isPossible: (time) => !(time < earliest),
    earliest,
    isSettled: reads.now() - at >= settleTime + lasts,
  };
}

/** A time of a response in milliseconds since 1970; NaN for anything else. */
export function readTime(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}
