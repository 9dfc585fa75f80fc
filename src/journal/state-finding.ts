import { type Finding, SETTLING, undecided } from './count-effects.js';
import type { LookContext } from './look.js';

const OTHERS = 'other requests of the journal may have done it, or undone it';

/** A state shows no time, so it counts only where no other request explains it. */
function hasRivals({ rivals, entry, timesOf }: LookContext): boolean {
  return (
    rivals.executed.length + rivals.possible.length + rivals.open.length > 0 ||
    rivals.missingUntil >= timesOf(entry).earliest
  );
}

/** A state that only this request can have brought about. */
export function executed(context: LookContext, reason: string): Finding {
  return hasRivals(context) ? undecided(OTHERS) : { verdict: 'executed', reason };
}

/** A state that this request would have changed. It may still do so until it is settled. */
export function notExecuted(context: LookContext, reason: string): Finding {
  if (hasRivals(context)) return undecided(OTHERS);
  return context.timesOf(context.entry).isSettled
    ? { verdict: 'not_executed', reason }
    : undecided(SETTLING);
}
