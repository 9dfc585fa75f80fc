import type { JournalEntry } from './journal-types.js';
import type { OwnLooks } from './own-looks.js';
import { type Kept, openEntries } from './pages.js';
import type { StoredEntry } from './stored-entry.js';

/** A request, open or done. */
type Recorded = Omit<StoredEntry, 'state'>;

/** The other requests of the journal that have the same effect as an entry, or could undo it. */
export type Rivals = {
  /** Known to have been executed. */
  readonly executed: readonly StoredEntry[];
  /** May have been executed: their entries were removed without a verdict. */
  readonly possible: readonly StoredEntry[];
  readonly open: readonly JournalEntry[];
  /** Up to this time requests may be missing here. */
  readonly missingUntil: number;
  /** Whether the entry's own request is known to have been executed. */
  readonly isDone: boolean;
};

/** Operations that act on the same thing as another one. */
const OPPOSITES: Readonly<Record<string, string>> = {
  'wallets.internal.unlinkFromCard': 'wallets.internal.linkToCard',
};

const effectOf = (operation: string, own: OwnLooks) =>
  own.get(operation)?.actsOn ?? OPPOSITES[operation] ?? operation;

/** The details that identify the thing a request is about. The others are its amount and proof. */
const SAME_THING = [
  'address',
  'network',
  'currency',
  'sourceAddress',
  'sourceMemo',
  'addressId',
  'name',
  'id',
];

/** Webhooks belong to the tenant: every user sees those of all others, in every region. */
const isOfTenant = ({ operation }: Recorded) => operation.startsWith('webhooks.');

/** Whether both users are known and differ. Where one is not known, the request counts. */
function isOtherUser(one: Recorded, other: Recorded): boolean {
  if (one.session !== undefined && one.session === other.session) return false;
  return one.user !== undefined && other.user !== undefined && one.user !== other.user;
}

function isRival(entry: Recorded, other: Recorded, own: OwnLooks): boolean {
  return (
    other.id !== entry.id &&
    effectOf(other.operation, own) === effectOf(entry.operation, own) &&
    (isOfTenant(entry) || (other.region === entry.region && !isOtherUser(entry, other))) &&
    (own.get(entry.operation)?.target ?? SAME_THING).every(
      (name) =>
        entry.details[name] === undefined ||
        other.details[name] === undefined ||
        String(entry.details[name]).toLowerCase() === String(other.details[name]).toLowerCase(),
    )
  );
}

/** Finds the requests of the journal that are like this one. */
export function findRivals(kept: Kept, entry: JournalEntry, own: OwnLooks): Rivals {
  const { entries, missingUntil } = kept;
  const others = entries.filter((other) => isRival(entry, other, own));
  // A damaged entry may be of any request.
  const isOpenRival = (other: JournalEntry) =>
    other.id !== entry.id && (other.operation === 'unreadable' || isRival(entry, other, own));
  // A damaged entry may be one that was executed.
  const isDamaged = entries.some(({ operation }) => operation === 'unreadable');
  return {
    executed: others.filter(({ state }) => state === 'executed'),
    possible: others.filter(({ state }) => state === 'possible'),
    open: openEntries(kept).filter(isOpenRival),
    missingUntil: isDamaged ? Number.MAX_SAFE_INTEGER : missingUntil,
    isDone: entries.some(({ id, state }) => id === entry.id && state === 'executed'),
  };
}

/** Keeps the requests of one operation, without those that only act on the same thing. */
export function ofOperation(rivals: Rivals, operation: string): Rivals {
  const isSame = (other: Pick<Recorded, 'operation'>) =>
    other.operation === operation || other.operation === 'unreadable';
  return {
    ...rivals,
    executed: rivals.executed.filter(isSame),
    possible: rivals.possible.filter(isSame),
    open: rivals.open.filter(isSame),
  };
}
