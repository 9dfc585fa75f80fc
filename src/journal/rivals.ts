import type { OwnLook } from '../contract/endpoint.js';
import type { JournalEntry } from './journal-types.js';
import type { Kept } from './pages.js';
import type { StoredEntry } from './stored-entry.js';

/** The other requests of the journal that may explain what an entry's request would have done. */
export type Rivals = {
  /** Of the same operation, known to have been executed. */
  readonly executed: readonly StoredEntry[];
  /** All others that may have been executed, and those whose operation only acts on the same thing. */
  readonly possible: readonly StoredEntry[];
  /** Up to this time of the service requests may be missing here. */
  readonly missingUntil: number;
  /** Whether an entry is damaged: it may be of any request. */
  readonly isDamaged: boolean;
};

/** Everything that may take from a wallet acts on this; see `TAKES_NOTHING`. */
export const WALLETS = 'wallets';

/** Operations of the contract that take nothing from any wallet. All others may, also unknown ones. */
const TAKES_NOTHING = [
  'auth.login',
  'auth.sendLoginOtp',
  'card.unfreeze',
  'delegation.getToken',
  'delegation.submitEvmApproval',
  'delegation.submitSolanaApproval',
  'wallets.internal.create',
  'wallets.internal.linkToCard',
  'wallets.internal.unlinkFromCard',
  'webhooks.create',
  'webhooks.rotateKey',
];

/** Returns how the requests of an operation are looked up; `undefined` where nobody has declared it. */
export type LookOf = (operation: string) => Pick<OwnLook, 'actsOn' | 'target'> | undefined;

function actOnOneThing(one: StoredEntry, other: StoredEntry, lookOf: LookOf): boolean {
  const actsOn = ({ operation }: StoredEntry) => lookOf(operation)?.actsOn ?? operation;
  if (actsOn(one) === WALLETS) return !TAKES_NOTHING.includes(other.operation);
  return actsOn(one) === actsOn(other);
}

/** Webhooks belong to the tenant: every user sees those of all others, in every region. */
const isOfTenant = ({ operation }: StoredEntry) => operation.startsWith('webhooks.');

/** Whether both users are known and differ. Where one is not known, the request counts. */
function isOtherUser(one: StoredEntry, other: StoredEntry): boolean {
  if (one.session !== undefined && one.session === other.session) return false;
  return one.user !== undefined && other.user !== undefined && one.user !== other.user;
}

function isRival(entry: StoredEntry, other: StoredEntry, lookOf: LookOf): boolean {
  return (
    other.id !== entry.id &&
    actOnOneThing(entry, other, lookOf) &&
    (isOfTenant(entry) || (other.region === entry.region && !isOtherUser(entry, other))) &&
    (lookOf(entry.operation)?.target ?? []).every((name) => {
      const [own = '', another = ''] = [entry.details[name], other.details[name]];
      return own === '' || another === '' || own.toLowerCase() === another.toLowerCase();
    })
  );
}

/** Finds the requests of the journal that are like this one. */
export function findRivals(
  { entries, missingUntil }: Kept,
  entry: JournalEntry,
  lookOf: LookOf,
): Rivals {
  const others = entries.filter(
    (other) => other.verdict !== 'not_executed' && isRival(entry, other, lookOf),
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
