import type { EntryTimes } from './entry-times.js';
import type { JournalEntry, JournalVerdict } from './journal-types.js';
import type { Rivals } from './rivals.js';

/** A verdict with its reason. The evidence is what the reads have shown. */
export type Finding = { readonly verdict: JournalVerdict; readonly reason: string };

/** Builds an undecided finding. */
export const undecided = (reason: string): Finding => ({ verdict: 'undecided', reason });

/** An effect that the service shows, of this request or of another one. */
export type Effect = {
  /** In milliseconds since 1970; NaN where it cannot be read. */
  readonly time: number;
  /** Whether it is what a request with these details does. */
  isOf(details: JournalEntry['details']): boolean;
  /** Whether it could be, for example with a fee. */
  mayBeOf(details: JournalEntry['details']): boolean;
};

export const SETTLING = 'there is no effect yet, but the service may still be working on it';

/** The effects without those of the other requests that are known to have been executed. */
function withoutKnown(
  effects: readonly Effect[],
  rivals: Rivals,
  timesOfOther: (other: { at: number }) => EntryTimes,
): Effect[] | undefined {
  const left = [...effects];
  for (const rival of rivals.executed) {
    const times = timesOfOther(rival);
    const own = left.filter(({ time, isOf }) => isOf(rival.details) && times.isLikely(time));
    const [first = left.find((one) => one.mayBeOf(rival.details) && times.isLikely(one.time))] =
      own.sort((one, other) => Math.abs(one.time - rival.at) - Math.abs(other.time - rival.at));
    // An effect that is known to exist is not shown, so nothing can be concluded from what is.
    if (first === undefined) return undefined;
    left.splice(left.indexOf(first), 1);
  }
  return left;
}

/**
 * Decides by counting: each request has one effect. Says `executed` only when there are exactly as
 * many effects as requests that are still open, and `not_executed` only when nothing is left that
 * could be an effect of this request.
 *
 * @param timesOfOther - the times of another request
 */
export function decideByCount(
  entry: JournalEntry,
  shown: readonly Effect[],
  rivals: Rivals,
  timesOfOther: (other: { at: number }) => EntryTimes,
): Finding {
  const times = timesOfOther(entry);
  // Requests that are too old to have an effect that is looked at.
  const isNear = (other: { at: number }) => other.at >= times.earliest;
  const near = { ...rivals, executed: rivals.executed.filter(isNear) };
  if (rivals.missingUntil >= times.earliest) {
    return undecided('the journal had no room to remember all similar requests of that time');
  }
  const left = withoutKnown(shown, near, timesOfOther);
  if (left === undefined)
    return undecided('the service does not show yet what it is known to have done');
  const possible = left.filter(
    ({ time, mayBeOf, isOf }) =>
      times.isPossible(time) && (isOf(entry.details) || mayBeOf(entry.details)),
  );
  if (possible.length === 0) {
    return times.isSettled
      ? { verdict: 'not_executed', reason: 'the service shows no effect of this request' }
      : undecided(SETTLING);
  }
  const matching = possible.filter(({ time, isOf }) => isOf(entry.details) && times.isLikely(time));
  const isSame = (other: { details: JournalEntry['details'] }) =>
    matching.some(({ isOf }) => isOf(other.details));
  const open = rivals.open.filter((other) => other.operation === 'unreadable' || isSame(other));
  if (rivals.possible.filter(isNear).some(isSame)) {
    return undecided('an entry of a request like this one was removed without a verdict');
  }
  if (matching.length > 0 && matching.length === open.length + 1) {
    return { verdict: 'executed', reason: 'the service shows as many effects as requests' };
  }
  return undecided('the effects that the service shows may be those of other requests');
}
