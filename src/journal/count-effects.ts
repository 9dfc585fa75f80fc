import type { TimesOf } from './entry-times.js';
import type { JournalEntry, JournalVerdict } from './journal-types.js';
import type { Rivals } from './rivals.js';

/** A verdict with its reason. */
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

/** Whether each can be given one of its choices, so that no two get the same one. */
function canEachHaveOne(choices: readonly (readonly unknown[])[]): boolean {
  const holders = new Map<unknown, number>();
  const assign = (index: number, tried: Set<unknown>): boolean =>
    (choices[index] ?? []).some((choice) => {
      if (tried.has(choice)) return false;
      tried.add(choice);
      const holder = holders.get(choice);
      // The holder makes room where it can have another one.
      if (holder !== undefined && !assign(holder, tried)) return false;
      holders.set(choice, index);
      return true;
    });
  return choices.every((_, index) => assign(index, new Set()));
}

/** The effects that another request may have had: those of exactly its kind, or else similar ones. */
function choicesOf(
  { details }: Pick<JournalEntry, 'details'>,
  effects: readonly Effect[],
): readonly Effect[] {
  const own = effects.filter(({ isOf }) => isOf(details));
  return own.length > 0 ? own : effects.filter(({ mayBeOf }) => mayBeOf(details));
}

/** A request whose effect is in question, and the others that may have had it. */
type Question = {
  readonly entry: JournalEntry;
  readonly rivals: Rivals;
  readonly timesOf: TimesOf;
};

/**
 * Decides by counting: each request has at most one effect. Returns `executed` only when the other
 * requests cannot explain the effects and this one can, and `not_executed` only when the effects of
 * the other requests leave none that could be of this one.
 */
export function decideByCount(
  { entry, rivals, timesOf }: Question,
  shown: readonly Effect[],
): Finding {
  const times = timesOf(entry);
  // Older requests cannot have had an effect that is looked at.
  const isNear = (other: { at: number }) => other.at >= times.earliest;
  if (rivals.missingUntil >= times.earliest) {
    return undecided('the journal had no room to remember all similar requests of that time');
  }
  const known = rivals.executed.filter(isNear).map((rival) => {
    const { isLikely, isSettled } = timesOf(rival);
    const likely = shown.filter(({ time }) => isLikely(time));
    return { choices: choicesOf(rival, likely), isSettled };
  });
  // A known effect is missing, so the effects that are shown prove nothing.
  if (!canEachHaveOne(known.map(({ choices }) => choices))) {
    return undecided('the service does not yet show an effect that is known to exist');
  }
  const possible = shown.filter(
    ({ time, mayBeOf, isOf }) =>
      times.isPossible(time) && (isOf(entry.details) || mayBeOf(entry.details)),
  );
  // The effect of an unsettled request may still be missing, and another effect may be taken for it.
  const certain = known.filter(({ isSettled }) => isSettled).map(({ choices }) => choices);
  if (!canEachHaveOne([...certain, possible])) {
    return times.isSettled
      ? { verdict: 'not_executed', reason: 'the service shows no effect of this request' }
      : undecided(SETTLING);
  }
  const matching = possible.filter(({ time, isOf }) => isOf(entry.details) && times.isLikely(time));
  if (
    rivals.possible.filter(isNear).some(({ details }) => matching.some(({ isOf }) => isOf(details)))
  ) {
    return undecided('an entry of a request like this one was removed without a verdict');
  }
  const open = rivals.open.map((other) => {
    const { isPossible } = timesOf(other);
    const late = shown.filter(({ time }) => isPossible(time));
    return other.operation === 'unreadable' ? shown : choicesOf(other, late);
  });
  const others = [...known.map(({ choices }) => choices), ...open];
  const isExplainedBy = (requests: readonly (readonly Effect[])[]) =>
    canEachHaveOne(
      matching.map((effect) =>
        requests.flatMap((choices, request) => (choices.includes(effect) ? [request] : [])),
      ),
    );
  if (!isExplainedBy(others) && isExplainedBy([...others, matching])) {
    return { verdict: 'executed', reason: 'the service shows as many effects as requests' };
  }
  return undecided('the effects that the service shows may be those of other requests');
}
