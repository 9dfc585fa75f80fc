import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import type { Row } from '../contract/lookup.js';
import { mayBeIn, readTime, SERVICE_MARGIN_MS, windowOf } from './entry-window.js';
import { mayHaveTaken } from './history.js';
import type { JournalCause, JournalEntry } from './journal-types.js';
import type { SimilarRequests } from './similar-requests.js';
import type { StoredEntry } from './stored-entry.js';

/** An effect that the service shows, of this request or of another one. */
export type Effect = {
  /** In milliseconds since 1970; NaN where it cannot be read. */
  readonly time: number;
  /** Whether a request with these details does exactly this; `'maybe'` if it could, as with a fee. */
  matches(request: StoredEntry): boolean | 'maybe';
};

/** The effects that a look has found. */
export type SeenEffects = {
  readonly effects: readonly Effect[];
  /** Which ones may be missing: see `LookResult`. */
  readonly mayLack: 'older' | 'any' | undefined;
};

/**
 * What one look shows. `present`: this request, and nothing else, explains it. `absent`: there is
 * nothing that this request could have done.
 */
export type Finding = {
  readonly shows: 'present' | 'absent' | 'nothing';
  readonly reason: string;
  readonly otherCauses: readonly JournalCause[];
  /** The service's time from which a look may show more, in milliseconds since 1970. */
  readonly lookAgainAt?: number | undefined;
};

/** A finding that shows nothing. */
export function nothing(
  reason: string,
  more: Partial<Pick<Finding, 'otherCauses' | 'lookAgainAt'>> = {},
): Finding {
  return { shows: 'nothing', reason, otherCauses: [], ...more };
}

/** Everything that a finding depends on. */
export type Question = {
  readonly entry: StoredEntry;
  readonly similar: SimilarRequests;
  /** The service's time of the earliest read. */
  readonly now: number;
  readonly settleTime: number;
  /** Whether the caller states that the journal has all requests of this user. */
  readonly hasAllRequests: boolean;
};

const ELSEWHERE: JournalCause = { kind: 'elsewhere' };
const DAMAGED = 'an entry of the journal is damaged, and it may be of any request';
const UNEXPLAINED = 'the service shows effects that no known request explains exactly';
const SHOWN_LATE =
  'the service shows what was requested, but it may not yet show what happened before the request';
const REPLACED =
  'the service shows only a later effect, which may have replaced that of this request';
const NOT_ALL_REQUESTS =
  'another device or client may have done it: the journal decides this only with hasAllRequests';

function causeOf({ id, operation, at, details }: JournalEntry): JournalCause {
  return { kind: 'request', request: { id, operation, at, details } };
}

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

/** What a state without a time shows. Any other request may have brought it about, or undone it. */
export function findingByState(
  { entry, similar, now, settleTime, hasAllRequests }: Question,
  isDone: boolean,
  reason: string,
): Finding {
  if (similar.isDamaged) return nothing(DAMAGED);
  const others = [...similar.executed, ...similar.possible];
  const { start } = windowOf(entry, 0);
  if (others.length > 0 || (similar.missingUntil > 0 && similar.missingUntil >= start)) {
    return nothing('other requests of the journal may have done it, or undone it', {
      otherCauses: others.map(causeOf),
    });
  }
  if (!hasAllRequests) return nothing(NOT_ALL_REQUESTS, { otherCauses: [ELSEWHERE] });
  // A change is shown late: until then, the state may be the one that this request was to change.
  if (isDone && !(now - (entry.until ?? Infinity) >= settleTime)) return nothing(SHOWN_LATE);
  return { shows: isDone ? 'present' : 'absent', reason, otherCauses: [] };
}

/** The card purchases that may explain the debits; `undefined` where the service does not show them. */
export type ReadPurchases = (from: number, to: number) => Promise<readonly Row[] | undefined>;

/** How long a purchase may take until it is settled with its wallet. */
const PURCHASE_DELAY_MS = 7 * 24 * 60 * 60_000;

const isExplained = (settleTime: number) => (row: Effect, request: StoredEntry) =>
  mayBeIn(windowOf(request, settleTime), row.time) && row.matches(request) === true;

/** Whether an effect of the entry can have been there that the service no longer shows. */
function mayBeReplaced(
  { entry, settleTime }: Question,
  { effects, mayLack }: SeenEffects,
): boolean {
  const { start } = windowOf(entry, settleTime);
  if (mayLack === undefined) return false;
  return mayLack === 'any' || effects.some(({ time }) => !(time < start));
}

/** Why the one effect that fits may still be that of something else; `undefined` if it cannot. */
async function findPurchases(
  { entry, now, settleTime }: Question,
  { time }: Effect,
  readPurchases: ReadPurchases,
): Promise<{ near: (time: number) => readonly Row[]; doubt?: Finding }> {
  const start = Math.min(windowOf(entry, settleTime).start, time);
  const purchases = await readPurchases(start - PURCHASE_DELAY_MS, now);
  const taking = purchases?.filter(
    ({ sign, status }) =>
      !equalsIgnoringCase(sign, 'credit') && !equalsIgnoringCase(status, 'declined'),
  );
  const near = (moment: number) =>
    (taking ?? []).filter(
      ({ dateTime }) => !(Math.abs(readTime(dateTime) - moment) > settleTime + SERVICE_MARGIN_MS),
    );
  if (taking === undefined) {
    const reason = 'the service does not show the card purchases, which may explain the debit';
    return { near, doubt: nothing(reason) };
  }
  const { amount } = entry.details;
  const suspects = taking.filter(
    (purchase) => near(time).includes(purchase) || mayHaveTaken(purchase, amount),
  );
  if (suspects.length > 0) {
    const otherCauses = suspects.map((purchase) => ({ kind: 'card_purchase', purchase }) as const);
    return { near, doubt: nothing('a card purchase may explain the debit', { otherCauses }) };
  }
  // A purchase may be shown late, as every effect. While one is new, a read that lags may have moved
  // another one between two pages.
  const latest = Math.max(time, ...(purchases ?? []).map(({ dateTime }) => readTime(dateTime)));
  const lookAgainAt = latest + settleTime + SERVICE_MARGIN_MS;
  if (now >= lookAgainAt) return { near };
  const reason = 'the service may still show a card purchase that explains the debit';
  const isKnown = Number.isFinite(lookAgainAt);
  return { near, doubt: nothing(reason, isKnown ? { lookAgainAt } : {}) };
}

/**
 * What effects show that a list has with their times. A request has one effect, but the list may
 * show it with another amount, and fees in rows of their own.
 *
 * - `absent`: each effect that this request could have had is exactly that of another request, which
 *   is known to have been executed and cannot have had any other effect.
 * - `present`: there is exactly one effect of this kind, and no other request, no card purchase and
 *   no other device can explain it.
 *
 * @param horizon - effects before this time may be missing from the list
 * @param readPurchases - for debits of a wallet, which a card purchase may explain
 */
export async function findingByEffects(
  question: Question,
  seen: SeenEffects,
  horizon: number,
  readPurchases?: ReadPurchases,
): Promise<Finding> {
  const { effects } = seen;
  const { entry, similar, now, settleTime, hasAllRequests } = question;
  if (similar.isDamaged) return nothing(DAMAGED);
  if (effects.some(({ time }) => time > now + 2 * SERVICE_MARGIN_MS)) {
    return nothing('the service shows effects of a time that is later than its own clock');
  }
  const choicesOf = (request: StoredEntry) => {
    const window = windowOf(request, settleTime);
    return effects.filter((each) => mayBeIn(window, each.time) && each.matches(request) !== false);
  };
  const explains = isExplained(settleTime);
  const possible = choicesOf(entry);
  // The effect of any other known request may be missing: from the list, or from what was read of it.
  const certain = similar.executed.filter((request) => {
    const { start, settledAt } = windowOf(request, settleTime);
    return start >= horizon && settledAt <= now;
  });
  const known = certain.map(choicesOf);
  if (!canEachHaveOne(known)) {
    return nothing('the service does not show an effect that is known to exist', {
      otherCauses: similar.executed.map(causeOf),
    });
  }
  const areAllExplained = canEachHaveOne(
    possible.map((row) => certain.filter((request) => explains(row, request))),
  );
  if (areAllExplained && !canEachHaveOne([...known, possible])) {
    if (mayBeReplaced(question, seen)) return nothing(REPLACED);
    const reason = 'the service shows no effect of this request';
    return { shows: 'absent', reason, otherCauses: [] };
  }

  const others = [...similar.executed, ...similar.possible].filter((other) =>
    choicesOf(other).some((effect) => possible.includes(effect)),
  );
  const later = similar.executed
    .map((other) => windowOf(other, settleTime).settledAt)
    .filter((time) => time > now && Number.isFinite(time));
  const open = (reason: string, doubt: Partial<Finding> = {}): Finding => ({
    shows: 'nothing',
    reason: doubt.reason ?? reason,
    otherCauses: [
      ...others.map(causeOf),
      ...(doubt.otherCauses ?? []),
      ...(hasAllRequests ? [] : [ELSEWHERE]),
    ],
    lookAgainAt: doubt.lookAgainAt ?? (later.length > 0 ? Math.max(...later) : undefined),
  });
  const exact = possible.filter((effect) => effect.matches(entry) === true);
  const [effect] = exact;
  if (effect === undefined) return open(UNEXPLAINED);
  if (exact.length > 1)
    return open('the service shows several effects that may be of this request');
  if (!Number.isFinite(effect.time + windowOf(entry, settleTime).start)) {
    return open('the time of the request or of its effect is not known');
  }
  if (others.some((other) => choicesOf(other).includes(effect))) {
    return open('the effect that the service shows may be of another request');
  }
  if (similar.missingUntil >= effect.time - SERVICE_MARGIN_MS) {
    return open('the journal does not remember all requests of that time');
  }
  const purchases = readPurchases && (await findPurchases(question, effect, readPurchases));
  if (purchases?.doubt !== undefined) return open('', purchases.doubt);
  if (!hasAllRequests) return open(NOT_ALL_REQUESTS);
  const rest = possible.filter((each) => each !== effect);
  const isRestExplained = canEachHaveOne(
    rest.map((row) => [
      ...similar.executed.filter((request) => explains(row, request)),
      ...(purchases?.near(row.time) ?? []),
    ]),
  );
  return isRestExplained
    ? { shows: 'present', reason: 'the service shows the effect of this request', otherCauses: [] }
    : open(UNEXPLAINED);
}
