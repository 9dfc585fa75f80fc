import { WALLETS } from '../contract/lookup.js';
import type { JournalEntry } from './journal-types.js';
import type { LookupOf } from './lookups.js';
import type { Kept } from './pages.js';
import type { StoredEntry } from './stored-entry.js';

/** The other requests of the journal that may explain what an entry's request would have done. */
export type SimilarRequests = {
  /** Of the same operation, known to have been executed. */
  readonly executed: readonly StoredEntry[];
  /** All others that may have been executed, and those whose operation only acts on the same thing. */
  readonly possible: readonly StoredEntry[];
  /** Up to this time of the service requests may be missing here. */
  readonly missingUntil: number;
  /** Whether an entry is damaged: it may be of any request. */
  readonly isDamaged: boolean;
};

function actOnOneThing(one: StoredEntry, other: StoredEntry, lookupOf: LookupOf): boolean {
  const actsOn = ({ operation }: StoredEntry) => lookupOf(operation)?.actsOn ?? operation;
  // An operation that nobody has declared may do anything.
  if (actsOn(one) === WALLETS) return lookupOf(other.operation)?.takesFromWallets !== false;
  return actsOn(one) === actsOn(other);
}

/** Whether both users are known and differ. Where one is not known, the request counts. */
function isOtherUser(one: StoredEntry, other: StoredEntry): boolean {
  if (one.tokenHash !== undefined && one.tokenHash === other.tokenHash) return false;
  return one.user !== undefined && other.user !== undefined && one.user !== other.user;
}

function isSimilar(entry: StoredEntry, other: StoredEntry, lookupOf: LookupOf): boolean {
  const lookup = lookupOf(entry.operation);
  return (
    other.id !== entry.id &&
    actOnOneThing(entry, other, lookupOf) &&
    (lookup?.isOfTenant === true ||
      (other.region === entry.region && !isOtherUser(entry, other))) &&
    (lookup?.target ?? []).every((name) => {
      const [own = '', another = ''] = [entry.details[name], other.details[name]];
      return own === '' || another === '' || own.toLowerCase() === another.toLowerCase();
    })
  );
}

/** Finds the requests of the journal that are like this one. */
export function findSimilarRequests(
  { entries, missingUntil }: Kept,
  entry: JournalEntry,
  lookupOf: LookupOf,
): SimilarRequests {
  const others = entries.filter(
    (other) => other.verdict !== 'not_executed' && isSimilar(entry, other, lookupOf),
  );
  const isExecuted = (other: StoredEntry) =>
    other.operation === entry.operation && (other.state ?? other.verdict) === 'executed';
  return {
    executed: others.filter(isExecuted),
    possible: others.filter((other) => !isExecuted(other)),
    missingUntil,
    isDamaged: entries.some(({ operation }) => operation === 'unreadable'),
  };
}
