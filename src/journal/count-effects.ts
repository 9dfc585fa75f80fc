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

/** Whether each effect can be that of another request. */
function areExplainedBy(
  requests: readonly (readonly Effect[])[],
  effects: readonly Effect[],
): boolean {
  return canEachHaveOne(
    effects.map((effect) =>
      requests.flatMap((choices, request) => (choices.includes(effect) ? [request] : [])),
    ),
  );
}

/** The effects that a request may have had: those of exactly its kind, and with them similar ones. */
type Choices = { readonly exact: readonly Effect[]; readonly similar: readonly Effect[] };

function choicesOf(
  { operation, details }: Pick<JournalEntry, 'operation' | 'details'>,
  effects: readonly Effect[],
): Choices {
  if (operation === 'unreadable') return { exact: effects, similar: effects };
  return {
    exact: effects.filter(({ isOf }) => isOf(details)),
    similar: effects.filter(({ isOf, mayBeOf }) => isOf(details) || mayBeOf(details)),
  };
}

const exactOf = ({ exact }: Choices) => exact;
const similarOf = ({ similar }: Choices) => similar;

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
    return undecided('the journal does not remember all similar requests of that time');
  }
  const known = rivals.executed.filter(isNear).map((rival) => {
    const { isLikely, isSettled } = timesOf(rival);
    const likely = shown.filter(({ time }) => isLikely(time));
    return { ...choicesOf(rival, likely), isSettled };
  });
  // A known effect is missing, so the effects that are shown prove nothing.
  if (!canEachHaveOne(known.map(similarOf))) {
    return undecided('the service does not yet show an effect that is known to exist');
  }
  const { similar: possible, exact } = choicesOf(
    entry,
    shown.filter(({ time }) => times.isPossible(time)),
  );
  // The effect of an unsettled request may still be missing, and another effect may be taken for it.
  const certain = known.filter(({ isSettled }) => isSettled).map(similarOf);
  if (!canEachHaveOne([...certain, possible])) {
    return times.isSettled
      ? { verdict: 'not_executed', reason: 'the service shows no effect of this request' }
      : undecided(SETTLING);
  }
  const own = exact.filter(({ time }) => times.isLikely(time));
  const unknown = [...rivals.open, ...rivals.possible.filter(isNear)].map((other) => {
    const { isPossible } = timesOf(other);
    return choicesOf(
      other,
      shown.filter(({ time }) => isPossible(time)),
    );
  });
  const others = [...known, ...unknown];
  const isOneMore =
    !areExplainedBy(others.map(exactOf), own) && areExplainedBy([...others.map(exactOf), own], own);
  // With a fee, the debit of another request may look like the one of this request. That is excluded
  // if no other request can have had it, or if the requests that are known to be executed show no
  // fee, and there are more similar debits than the others can have had.
  const isOfNoOther =
    !areExplainedBy(others.map(similarOf), own) ||
    (canEachHaveOne(known.map(exactOf)) && !areExplainedBy(others.map(similarOf), possible));
  return isOneMore && isOfNoOther
    ? { verdict: 'executed', reason: 'the service shows as many effects as requests' }
    : undecided('the effects that the service shows may be those of other requests');
}
