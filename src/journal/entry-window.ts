import type { StoredEntry } from './stored-entry.js';

/** How far two clocks of the service may differ: of its responses, and of the times in its records. */
export const SERVICE_MARGIN_MS = 60_000;
/** The default of the option `settleTime`. */
export const DEFAULT_SETTLE_TIME_MS = 5 * 60_000;
/** The total timeout of a call whose entry does not show one. */
export const USUAL_TIMEOUT_MS = 60_000;

/** When a request may have had its effect, in milliseconds since 1970 by the service's clock. */
export type EntryWindow = {
  /** `-Infinity` where no earlier time of the service is known. */
  readonly start: number;
  /** `Infinity` where no later time of the service is known. */
  readonly end: number;
  /** From then on, every read shows the effect of a request that was executed. */
  readonly settledAt: number;
};

/** How long a call may last and the service may then work on it, in milliseconds. */
export function longestWork({ lasts = USUAL_TIMEOUT_MS }: StoredEntry, settleTime: number): number {
  return lasts + settleTime;
}

/** Returns when a request may have had its effect. */
export function windowOf(request: StoredEntry, settleTime: number): EntryWindow {
  const { since = -Infinity, until = Infinity, doneBy } = request;
  // A response that was read shows that the service had acted.
  const latest = doneBy ?? until + longestWork(request, settleTime);
  return {
    start: since - SERVICE_MARGIN_MS,
    end: latest + SERVICE_MARGIN_MS,
    settledAt: doneBy === undefined ? latest : doneBy + settleTime,
  };
}

/** Whether a time is in a window. One that cannot be read may be any time. */
export function mayBeIn({ start, end }: EntryWindow, time: number): boolean {
  return !(time < start || time > end);
}

/**
 * A date and a time with its offset, also in the form `2023-03-27 17:07:12.662+03` of the service. Without an
 * offset, `Date` assumes the zone of this machine, or midnight UTC for a date alone.
 */
const EXACT =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)? ?(?:Z|GMT|[+-]\d{2}(?::?\d{2})?)$/i;

/** A time of a response in milliseconds since 1970; NaN for anything else, also for a time without an offset. */
export function readTime(value: unknown): number {
  return typeof value === 'string' && EXACT.test(value) ? Date.parse(value) : Number.NaN;
}
