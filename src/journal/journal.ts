import type { OwnLook } from '../contract/endpoint.js';
import type { EndpointId } from '../contract/endpoints.js';
import { isObject } from '../contract/formats/is-object.js';
import { getUser } from '../contract/user.js';
import { ConfigurationError } from '../errors/index.js';
import { StoreFault } from '../stores/key-value-store.js';
import type { AccessToken, TokenSource } from '../transport/credentials/token-source.js';
import { isInstance } from '../transport/outcome/network-error.js';
import { JOURNAL, type Journal, type LookupClient } from '../transport/settings/journal-option.js';
import { ownOptions } from '../transport/settings/own-options.js';
import { requireDuration } from '../transport/settings/requirements.js';
import { type Finding, undecided } from './count-effects.js';
import { holds, KEPT_FIELDS } from './entry-details.js';
import { timesOf } from './entry-times.js';
import type {
  JournalEntry,
  JournalVerdict,
  ReconcileOptions,
  Reconciliation,
} from './journal-types.js';
import type { Look } from './look.js';
import { lookAtOwn } from './look-at-own.js';
import { LOOKS } from './looks.js';
import { type JournalOptions, requireJournalOptions } from './options.js';
import { ownLooksOf } from './own-looks.js';
import { openEntries, pagesOf } from './pages.js';
import { Reads } from './reads.js';
import { createRecorder, userOf } from './recorder.js';
import { findRivals } from './rivals.js';
import { sessionOf } from './session-of.js';
import { isEntry } from './stored-entry.js';

type JournalClient = LookupClient & { readonly options: JournalOptions };

const DEFAULT_SETTLE_TIME_MS = 5 * 60_000;
const VERDICTS: readonly JournalVerdict[] = ['executed', 'not_executed', 'undecided'];
const UNKNOWN_OPERATION =
  'the journal does not know how to look up this operation: declare reconcile for its endpoint, and ' +
  'list it in journal.endpoints';

/** Every open entry of the store, oldest first. */
export async function listPending({
  options: { store },
  clock,
}: Pick<JournalClient, 'options' | 'clock'>): Promise<JournalEntry[]> {
  return openEntries(await pagesOf(store, clock).read());
}

/** Pins the current token for all reads: a provider may know several users. */
async function pinToken(
  tokens: TokenSource | undefined,
  region: JournalEntry['region'],
): Promise<{ session: string | undefined; accessToken: AccessToken | undefined }> {
  if (tokens === undefined) return { session: undefined, accessToken: undefined };
  const { fixed } = tokens;
  if (fixed !== undefined) return { session: sessionOf(fixed), accessToken: undefined };
  const token = await tokens.get('journal', region);
  const accessToken: AccessToken = async ({ reason }) =>
    reason === 'request'
      ? token
      : ((await tokens.renew(token, 'journal', () => {}, region)) ?? token);
  return { session: sessionOf(token), accessToken };
}

async function readUserId(reads: Reads): Promise<string | undefined> {
  const user = await reads.read(getUser, {});
  return isObject(user) && typeof user['id'] === 'string' ? user['id'] : undefined;
}

/** Returns why the client does not act for the user of an entry; `undefined` if it does. */
async function otherUser(
  client: JournalClient,
  entry: JournalEntry,
  session: string | undefined,
  reads: Reads,
): Promise<Finding | undefined> {
  const { isProxied, options, clock } = client;
  if (session === undefined && !isProxied) return undecided('the client has no access token');
  const user = await userOf(options, clock, session);
  const isKnown = user !== undefined && entry.user !== undefined;
  if (isKnown && user !== entry.user) return undecided('the entry is of another user');
  // Behind a proxy, a cookie decides which user is read, and another tab may have changed it.
  if (isKnown && !isProxied) return undefined;
  if (session !== undefined && session === entry.session) return undefined;
  if (entry.user === undefined) {
    return undecided(
      'the entry is of another session, and its user is not known: set journal.user',
    );
  }
  return (await readUserId(reads)) === entry.user
    ? undefined
    : undecided('the entry is of another user');
}

/** Whether an entry has the details by which its effect is recognised: the store may lack room for them. */
function hasDetails({ operation, details }: JournalEntry, own: OwnLook | undefined): boolean {
  const kept = own?.details ?? KEPT_FIELDS[operation as EndpointId] ?? [];
  return holds(
    details,
    kept.filter((name) => own !== undefined || name !== 'sourceMemo'),
  );
}

function lookOf({ operation }: JournalEntry, own: OwnLook | undefined): Look | string {
  if (own !== undefined) return lookAtOwn(own);
  const row = Object.hasOwn(LOOKS, operation) ? LOOKS[operation as EndpointId] : undefined;
  return row ?? UNKNOWN_OPERATION;
}

async function look(
  client: JournalClient,
  entry: JournalEntry,
  settleTime: number,
  reads: Reads,
  session: string | undefined,
): Promise<Finding> {
  const looks = ownLooksOf(client.options);
  const own = looks.get(entry.operation);
  const row = lookOf(entry, own);
  if (typeof row === 'string') return undecided(row);
  if (!hasDetails(entry, own)) return undecided('the entry lacks details of its request');
  const stranger = await otherUser(client, entry, session, reads);
  if (stranger !== undefined) return stranger;
  const pages = pagesOf(client.options.store, client.clock);
  const before = findRivals(await pages.read(), entry, looks);
  if (before.isDone) return { verdict: 'executed', reason: 'its response was read' };
  const finding = await row({
    entry,
    reads,
    rivals: before,
    timesOf: (request) => timesOf(request, reads, settleTime),
  });
  // A request that ended during the reads may explain their results.
  const after = findRivals(await pages.read(), entry, looks);
  const hasChanged = JSON.stringify(before) !== JSON.stringify(after);
  return hasChanged ? undecided('another request ended at the same time: look again') : finding;
}

function requireEntry(entry: unknown): JournalEntry {
  if (isEntry(entry)) return entry;
  throw new ConfigurationError('entry', 'entry must be one that journal.pending() returned.');
}

function requireVerdict(verdict: unknown): void {
  if (VERDICTS.some((known) => known === verdict)) return;
  throw new ConfigurationError(
    'verdict',
    `verdict must be ${VERDICTS.join(' or ')}: the entry stays in the journal.`,
  );
}

/** Looks up what became of an entry. */
async function reconcileEntry(
  client: JournalClient,
  entry: JournalEntry,
  { signal, settleTime = DEFAULT_SETTLE_TIME_MS }: ReconcileOptions,
): Promise<Reconciliation> {
  requireEntry(entry);
  requireDuration(settleTime, 'settleTime', 0);
  const { region } = entry;
  const { session, accessToken } = await pinToken(client.tokens, region);
  const reads = new Reads(client.send, client.clock, {
    region,
    accessToken,
    signal,
  });
  const finding = await look(client, entry, settleTime, reads, session);
  return { ...finding, evidence: reads.evidence };
}

/** Removes an entry, and remembers its verdict. */
export async function removeEntry(
  { options: { store }, clock }: Pick<JournalClient, 'options' | 'clock'>,
  entry: JournalEntry,
  verdict: JournalVerdict,
): Promise<void> {
  const { id } = requireEntry(entry);
  requireVerdict(verdict);
  const state = verdict === 'executed' ? verdict : 'possible';
  await pagesOf(store, clock).change(
    id,
    (stored) =>
      verdict === 'not_executed' || stored.operation === 'unreadable'
        ? undefined
        : { ...stored, state },
    verdict === 'not_executed' ? 0 : clock.now(),
  );
}

/**
 * Creates a journal for the option `journal` of a client. Before a request that must not be sent twice
 * leaves, the client writes an entry; it removes the entry when the outcome is known. After a crash,
 * or an outcome `unknown`, `client.journal` lists what is open and looks it up.
 *
 * @throws ConfigurationError that names the option that cannot work
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createJournal } from 'card-platform-sdk/journal';
 * import { memoryStore } from 'card-platform-sdk/stores';
 *
 * const platform = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 *   journal: createJournal({ store: memoryStore() }),
 * });
 * console.log(await platform.journal.pending());
 * ```
 */
export function createJournal(given: JournalOptions): Journal {
  const options = requireJournalOptions(given);
  ownLooksOf(options);
  return Object.freeze({
    [JOURNAL]: {
      sendsWithoutEntry: options.onStoreFailure === 'send',
      recorder: (clock) => createRecorder(options, clock),
      faultOf: (error) => (isInstance(error, StoreFault) ? error.message : undefined),
      of: (lookup) => {
        const client = { ...lookup, options };
        return Object.freeze({
          pending: () => listPending(client),
          async reconcile(entry, more = {}) {
            const checked = ownOptions<ReconcileOptions>(more, ['signal', 'settleTime']);
            return reconcileEntry(client, entry, checked);
          },
          remove: (entry, verdict) => removeEntry(client, entry, verdict),
        });
      },
    },
  } satisfies Journal);
}
