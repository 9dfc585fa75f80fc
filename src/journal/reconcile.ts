import { isObject } from '../contract/formats/is-object.js';
import type { LookResult } from '../contract/lookup.js';
import { getUser } from '../contract/user.js';
import { isApiError, isCardPlatformError } from '../errors/index.js';
import { SessionError } from '../sessions/session-error.js';
import {
  type AccessToken,
  RENEW_AT_SOURCE,
  type RenewAtSource,
  type TokenSource,
} from '../transport/credentials/credentials.js';
import type { LookupClient } from '../transport/settings/journal-option.js';
import { holds } from './entry-details.js';
import { longestWork, windowOf } from './entry-window.js';
import {
  type Finding,
  findingByEffects,
  findingByState,
  nothing,
  type Question,
  type ReadPurchases,
} from './finding.js';
import { readPurchases, showPurchases } from './history.js';
import type { JournalEntry, JournalVerdict, Reconciliation } from './journal-types.js';
import { createTools, toEffect } from './look-tools.js';
import { type DeclaredLookup, lookupsOf } from './lookups.js';
import type { JournalOptions } from './options.js';
import { type Kept, pagesOf } from './pages.js';
import { Reads } from './reads.js';
import { findSimilarRequests } from './similar-requests.js';
import type { StoredEntry } from './stored-entry.js';
import { findUser, namedUser, tokenHashOf } from './users.js';

/** The client of a journal, with the options of the journal. */
export type JournalClient = LookupClient & { readonly options: JournalOptions };

/** A reconciliation, and what else the look has shown. */
export type LookedUp = {
  readonly result: Reconciliation;
  /** Whether the client acts for another user than the entry's: known to be, or perhaps. */
  readonly ofOtherUser: 'no' | 'maybe' | 'yes';
  /** The service's time of the look, where it is known: always if the look itself has decided. */
  readonly time?: number | undefined;
};

const UNKNOWN_OPERATION =
  'the journal does not know how to look up this operation: declare reconcile for its endpoint, and ' +
  'list it in journal.endpoints';
const DAMAGED = 'the store damaged or lost the entry, so it does not show which request it is of';
const OF_NOBODY =
  'the request was sent without an access token, so it belongs to no user whose reads could show it';
const NO_CLOCK = "the responses do not show the service's clock";
const NOTHING_USABLE = 'the function look of this endpoint returned no usable result';
const SETTLING = 'there is no effect yet, but the service may still be working on it';

type PinnedToken = { tokenHash: string | undefined; accessToken: AccessToken | undefined };

/**
 * Pins the current token for all reads: a provider may know several users.
 *
 * @param requireSame - throws for a renewed token that may be of another user
 */
async function pinToken(
  tokens: TokenSource | undefined,
  region: JournalEntry['region'],
  requireSame: (renewed: string) => Promise<void>,
): Promise<PinnedToken> {
  if (tokens === undefined) return { tokenHash: undefined, accessToken: undefined };
  const { fixed } = tokens;
  if (fixed !== undefined) return { tokenHash: tokenHashOf(fixed), accessToken: undefined };
  const operation = 'journal';
  const since = tokens.renewed;
  const token = await tokens.get(operation, region);
  const refused = { token, since, operation, region };
  const renew = async (...waiting: Parameters<RenewAtSource>) => {
    const renewed = await tokens.renew(refused, ...waiting);
    if (renewed !== undefined) await requireSame(renewed);
    return renewed;
  };
  const accessToken = Object.assign(async () => token, { [RENEW_AT_SOURCE]: renew });
  return { tokenHash: tokenHashOf(token), accessToken };
}

function undefinedOfOtherRegion(error: unknown): undefined {
  if (!isCardPlatformError(error) || error.code !== 'session_mismatch') throw error;
}

async function readUserId(reads: Reads): Promise<string | undefined> {
  const user = await reads.read(getUser, {});
  return isObject(user) && typeof user['id'] === 'string' ? user['id'] : undefined;
}

/** Why the client may not act for the user of an entry. */
type Stranger = { readonly ofOtherUser: 'maybe' | 'yes'; readonly reason: string };

const OF_OTHER: Stranger = { ofOtherUser: 'yes', reason: 'the entry is of another user' };
const WITHOUT_TOKEN: Stranger = {
  ofOtherUser: 'yes',
  reason: 'the client has no access token',
};
const OF_OTHER_REGION: Stranger = {
  ofOtherUser: 'maybe',
  reason: 'the request went to another region than that of the session: log in there',
};
const OF_OTHER_TOKEN: Stranger = {
  ofOtherUser: 'maybe',
  reason: 'the entry is of another access token, and its user is not known: set journal.user',
};
const NOBODY_LOGGED_IN: Stranger = {
  ofOtherUser: 'maybe',
  reason: 'the service does not say who is logged in',
};
const CHANGED: Stranger = {
  ofOtherUser: 'maybe',
  reason: 'another user has logged in meanwhile',
};
const SOMEBODY_ELSE: Stranger = {
  ofOtherUser: 'maybe',
  reason: 'the service says that another user is logged in, not the one of journal.user',
};

/** Returns the reads for the user of an entry, or why the client may not act for that user. */
async function readsFor(
  client: JournalClient,
  entry: JournalEntry,
  signal: AbortSignal | undefined,
): Promise<Reads | Stranger> {
  const { isProxied, options, clock, tokens } = client;
  const { region } = entry;
  if (tokens === undefined && !isProxied) return WITHOUT_TOKEN;
  const otherRegion = region === 'us' ? 'global' : 'us';
  const isOther = (user: string | undefined) =>
    user !== undefined && entry.user !== undefined && user !== entry.user;
  const named = await namedUser(options);
  // No provider is asked for a token of the entry's region: the session may be of another one.
  if (isOther(named)) return OF_OTHER;
  const isNamedStill = async () => named === undefined || (await namedUser(options)) === named;
  const requireSame = async (renewed: string) => {
    const now = await namedUser(options);
    const known = now ?? (await findUser(options.store, clock, tokenHashOf(renewed)));
    const isOfAnother = known !== undefined && known !== entry.user;
    if (now !== named || isOfAnother) throw new SessionError('session_mismatch');
  };
  const pin = (of: JournalEntry['region']) => pinToken(tokens, of, requireSame);
  const pinned = await pin(region).catch(undefinedOfOtherRegion);
  const { tokenHash } = pinned ?? (await pin(otherRegion));
  // The token may be of whoever has logged in while it was chosen.
  if (!(await isNamedStill())) return CHANGED;
  const user = named ?? (await findUser(options.store, clock, tokenHash));
  if (isOther(user)) return OF_OTHER;
  if (pinned === undefined) return OF_OTHER_REGION;
  const readsIn = (of: JournalEntry['region']) =>
    new Reads(client, { region: of, accessToken: pinned.accessToken, signal });
  const reads = readsIn(region);
  if (tokenHash !== undefined && tokenHash === entry.tokenHash) return reads;
  if (entry.user === undefined) return OF_OTHER_TOKEN;
  // Behind a proxy, a cookie decides which user is read, and another tab may have changed it.
  if (user !== undefined && !isProxied) return reads;
  let loggedIn: string | undefined;
  try {
    loggedIn = await readUserId(reads);
  } catch (error) {
    if (tokens?.fixed === undefined || !isApiError(error) || error.status !== 401) throw error;
    // A fixed token does not show its region. One that works in neither fails the look.
    const there = await readUserId(readsIn(otherRegion));
    return there === undefined || there === entry.user ? OF_OTHER_REGION : OF_OTHER;
  }
  // The cookie may change between two reads: the proxy refuses those of another user then.
  if (loggedIn === entry.user) return isProxied ? reads.of(entry.user) : reads;
  if (loggedIn === undefined) return NOBODY_LOGGED_IN;
  return user === undefined ? OF_OTHER : SOMEBODY_ELSE;
}

/** Why a look itself does not know; `undefined` if it shows something. */
function reasonOf(result: unknown): string | undefined {
  const { isDone, effects, reason } = Object(result) as Partial<Record<string, unknown>>;
  const isUnclear = isDone === undefined && effects === undefined;
  return isUnclear && typeof reason === 'string' ? reason : undefined;
}

async function findingOf(
  question: Question,
  { details }: DeclaredLookup,
  result: LookResult,
  horizon: number,
  purchases: ReadPurchases | undefined,
): Promise<Finding> {
  if (!isObject(result)) return nothing(NOTHING_USABLE);
  const { effects, isDone, reason, mayLack } = result as Partial<Record<string, unknown>>;
  if (effects !== undefined) {
    const isKnown = mayLack === undefined || mayLack === 'older' || mayLack === 'any';
    if (!Array.isArray(effects) || !isKnown) return nothing(NOTHING_USABLE);
    const { operation } = question.entry;
    const shown = effects.map((seen) => toEffect(seen, operation, details));
    return findingByEffects(question, { effects: shown, mayLack }, horizon, purchases);
  }
  const why = (otherwise: string) => (typeof reason === 'string' ? reason : otherwise);
  if (typeof isDone !== 'boolean') {
    return nothing(why('the reads do not show what became of the request'));
  }
  const otherwise = isDone
    ? 'the service shows what was requested'
    : 'the service does not show what was requested';
  return findingByState(question, isDone, why(otherwise));
}

/** The verdict of a finding, and what the entry keeps of it. */
function conclude(
  { entry, settleTime }: Question,
  { shows, reason, lookAgainAt }: Finding,
  { earliest, latest }: { readonly earliest: number; readonly latest: number },
): { verdict: JournalVerdict; reason: string; lookAgainAt: number | undefined; kept: StoredEntry } {
  const until = entry.until ?? latest;
  const work = longestWork(entry, settleTime);
  const { emptySince: _, ...rest } = entry;
  const looked = { ...rest, until };
  if (shows === 'present') {
    const kept: StoredEntry = { ...looked, verdict: 'executed' };
    return { verdict: 'executed', reason, lookAgainAt: undefined, kept };
  }
  if (shows === 'nothing') {
    // As long as the service may be working on the request, a later look may show more.
    const next = lookAgainAt ?? (earliest < until + work ? until + work : undefined);
    return { verdict: 'undecided', reason, lookAgainAt: next, kept: looked };
  }
  const emptySince = entry.emptySince ?? latest;
  const kept = { ...looked, emptySince };
  if (earliest - emptySince >= work) {
    const verdict = 'not_executed';
    return { verdict, reason, lookAgainAt: undefined, kept: { ...kept, verdict } };
  }
  return { verdict: 'undecided', reason: SETTLING, lookAgainAt: emptySince + work, kept };
}

/** The entry as the store has it: it remembers earlier looks, of other programs too. */
function withStored(given: JournalEntry, { entries }: Kept): StoredEntry {
  const stored = entries.find(({ id }) => id === given.id);
  if (stored === undefined) return given;
  const { since, until, emptySince, verdict, state, doneBy } = stored;
  return { ...given, since, until, emptySince, verdict, state, doneBy };
}

/** Effects from before this time cannot concern the entry, nor requests that explain its effects. */
function horizonOf(entry: StoredEntry, executed: readonly StoredEntry[], settleTime: number) {
  const { start } = windowOf(entry, settleTime);
  const near = executed
    .map((other) => windowOf(other, settleTime))
    .filter(({ end }) => end >= start);
  return Math.min(start, ...near.map((window) => window.start));
}

/** Looks up what became of an entry. */
export async function lookUp(
  client: JournalClient,
  given: JournalEntry,
  { signal, settleTime }: { signal: AbortSignal | undefined; settleTime: number },
): Promise<LookedUp> {
  const { options, clock } = client;
  const pages = pagesOf(options.store, clock);
  const before = await pages.read();
  const entry = withStored(given, before);
  const isOfUser = entry.user !== undefined || entry.tokenHash !== undefined;
  const reads = isOfUser ? await readsFor(client, entry, signal) : undefined;
  if (reads !== undefined && !(reads instanceof Reads)) {
    const { ofOtherUser, reason } = reads;
    return { result: { verdict: 'undecided', reason, evidence: [], otherCauses: [] }, ofOtherUser };
  }
  // A later response that does not show the time must not take it away from the verdict.
  let time: number | undefined;
  const found = (verdict: JournalVerdict, reason: string, more: Partial<Reconciliation> = {}) => ({
    result: { verdict, reason, evidence: reads?.evidence ?? [], otherCauses: [], ...more },
    ofOtherUser: 'no' as const,
    time: reads?.times?.latest ?? time,
  });

  const lookupOf = lookupsOf(options);
  const lookup = lookupOf(entry.operation);
  if (entry.operation === 'unreadable') return found('undecided', DAMAGED);
  if (lookup?.look === undefined) {
    return found('undecided', lookup?.undecidedBecause ?? UNKNOWN_OPERATION);
  }
  if (reads === undefined) return found('undecided', OF_NOBODY);
  if (!holds(entry.details, lookup.details)) {
    return found('undecided', 'the entry lacks details of its request');
  }
  if (entry.state === 'executed') return found('executed', 'its response was read');

  const { executed } = findSimilarRequests(before, entry, lookupOf);
  const horizon = horizonOf(entry, executed, settleTime);
  const { tools, hasReadDebits } = createTools(entry, reads, { horizon, settleTime });
  const result = await lookup.look(tools);
  const { times } = reads;
  time = times?.latest;
  if (times === undefined) return found('undecided', reasonOf(result) ?? NO_CLOCK);
  if (times.earliest < windowOf(entry, settleTime).start) {
    return found('undecided', 'the clock of the service has gone back');
  }

  await pages.noteTime(before, times.latest);
  // A request is recorded before it leaves, so all that can explain what was read are in the store now.
  const after = await pages.read();
  const { state } = withStored(entry, after);
  if (state === 'executed') return found('executed', 'its response was read');
  const question: Question = {
    entry,
    similar: findSimilarRequests(after, entry, lookupOf),
    now: times.earliest,
    settleTime,
    hasAllRequests: options.hasAllRequests === true,
  };
  const purchases = hasReadDebits()
    ? (from: number, to: number) => readPurchases(reads, from, to)
    : undefined;
  const finding = await findingOf(question, lookup, result, horizon, purchases);
  const shown = finding.otherCauses.flatMap((cause) =>
    cause.kind === 'card_purchase' ? [cause.purchase] : [],
  );
  if (shown.length > 0) showPurchases(reads, shown);
  const { verdict, reason, lookAgainAt, kept } = conclude(question, finding, times);
  let earlier = entry.verdict;
  await pages.change(entry.id, (stored) => {
    const { until, emptySince, verdict: decided } = kept;
    earlier = stored.verdict;
    const certain = earlier === 'executed' ? earlier : (decided ?? earlier);
    return stored.state === undefined
      ? { ...stored, until: stored.until ?? until, emptySince, verdict: certain }
      : stored;
  });
  // What was certain once stays certain, even if the reads no longer show it.
  const isNews = verdict !== 'undecided' && earlier !== 'executed';
  if (earlier !== undefined && earlier !== verdict && !isNews) {
    return found(earlier, 'an earlier look has decided it');
  }
  return found(verdict, reason, {
    otherCauses: finding.otherCauses,
    ...(lookAgainAt !== undefined && { lookAgainAt: new Date(lookAgainAt).toISOString() }),
  });
}
