import { ConfigurationError } from '../errors/index.js';
import { StoreFault } from '../stores/key-value-store.js';
import { isInstance } from '../transport/outcome/network-error.js';
import { serviceTime } from '../transport/response/http-response.js';
import { ownOptions, requireDuration } from '../transport/settings/check-options.js';
import { JOURNAL, type Journal } from '../transport/settings/journal-option.js';
import { DEFAULT_SETTLE_TIME_MS } from './entry-window.js';
import type {
  JournalEntry,
  JournalVerdict,
  ReconcileOptions,
  RecoveredEntry,
} from './journal-types.js';
import { lookupsOf } from './lookups.js';
import { type JournalOptions, requireJournalOptions } from './options.js';
import { openEntries, pagesOf } from './pages.js';
import { type JournalClient, type LookedUp, lookUp } from './reconcile.js';
import { createRecorder, type SeenTime } from './recorder.js';
import { isEntry, type StoredEntry } from './stored-entry.js';
import { userMissing } from './users.js';

const VERDICTS: readonly JournalVerdict[] = ['executed', 'not_executed', 'undecided'];

/** Every open entry of the store, oldest first. */
async function listPending({
  options: { store },
  clock,
}: Pick<JournalClient, 'options' | 'clock'>): Promise<JournalEntry[]> {
  return openEntries(await pagesOf(store, clock).read());
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
  more: ReconcileOptions,
): Promise<LookedUp> {
  const options = ownOptions<ReconcileOptions>(more, ['signal', 'settleTime']);
  const { signal, settleTime = DEFAULT_SETTLE_TIME_MS } = options;
  requireEntry(entry);
  requireDuration(settleTime, 'settleTime', 0);
  return lookUp(client, entry, { signal, settleTime });
}

/** How long a handler may take before its program is taken to have ended, by the service's clock. */
const HANDLING_MS = 10 * 60_000;

/** Looks up every entry of the client's user, and removes those that are decided and handled. */
async function recoverEntries(
  client: JournalClient,
  handler: (found: RecoveredEntry) => unknown,
  options: ReconcileOptions,
): Promise<void> {
  if (typeof handler !== 'function') {
    throw new ConfigurationError('handler', 'handler must be a function.');
  }
  const { user } = client.options;
  if (client.isProxied && user === undefined) throw userMissing();
  if (!client.isProxied && client.tokens === undefined) {
    throw new ConfigurationError(
      'accessToken',
      'recover looks up the requests of one user: call it on the client of that user, as client.withAccessToken(login.accessToken) returns it.',
    );
  }
  let doubt: string | undefined;
  for (const entry of await listPending(client)) {
    // Another call may have decided and removed it since it was listed.
    const isOpen = (await listPending(client)).some(({ id }) => id === entry.id);
    const looked = await reconcileEntry(client, entry, options);
    if (isOpen && looked.ofOtherUser === 'maybe') doubt ??= looked.result.reason;
    if (looked.ofOtherUser !== 'no') continue;
    if (isOpen) await passOn(client, entry, looked, handler);
    else await handler(decidedMeanwhile(client, entry, looked));
  }
  // It may be of this user, who would find nothing open and send it again. Another user may not see it.
  if (doubt !== undefined) {
    throw new ConfigurationError(
      'journal.user',
      `the journal has an open request that may be of this user, so send nothing again. It was not looked up because ${doubt}. journal.pending() lists the request; journal.remove() removes it once you know what became of it.`,
    );
  }
}

/**
 * What a handler gets for an entry that was decided after it was listed: whoever hears nothing may believe
 * that nothing was open, and send it again. Another call of `recover` finds nothing open at once.
 */
function decidedMeanwhile(
  { clock }: JournalClient,
  entry: JournalEntry,
  { result, time }: Pick<LookedUp, 'result' | 'time'>,
): RecoveredEntry {
  const reason = 'its caller, or another call of recover, has decided it meanwhile';
  const lookAgainAt = new Date(time ?? clock.now()).toISOString();
  return { ...result, verdict: 'undecided', reason, lookAgainAt, entry };
}

/** Passes the result of a look to the handler, and removes the entry if it is decided. */
async function passOn(
  client: JournalClient,
  entry: JournalEntry,
  { result, time }: LookedUp,
  handler: (found: RecoveredEntry) => unknown,
): Promise<void> {
  if (result.verdict === 'undecided') {
    await handler({ ...result, entry });
    return;
  }
  const claim = await claimEntry(client, entry, time);
  if (claim === 'gone') {
    await handler(decidedMeanwhile(client, entry, { result, time }));
    return;
  }
  if (claim !== 'ours') {
    const lookAgainAt = new Date(claim.heldUntil).toISOString();
    const reason = `another call of recover is handling its verdict, ${result.verdict}`;
    await handler({ ...result, verdict: 'undecided', reason, lookAgainAt, entry });
    return;
  }
  try {
    await handler({ ...result, entry });
  } catch (error) {
    // If the store fails too, another program passes the verdict on later.
    await releaseEntry(client, entry, time).catch(() => undefined);
    throw error;
  }
  await removeEntry(client, entry, result.verdict);
}

type Claim = 'ours' | 'gone' | { readonly heldUntil: number };

/** Notes that this call handles the verdict of an entry, unless another one does. */
async function claimEntry(
  { options: { store }, clock }: JournalClient,
  { id }: JournalEntry,
  time: number | undefined,
): Promise<Claim> {
  let claim: Claim = 'gone';
  // Without the time it cannot be noted. The look has then decided nothing: a response was read.
  if (time === undefined) return claim;
  await pagesOf(store, clock).change(id, (stored) => {
    claim = claimOf(stored, time);
    return claim === 'ours' ? { ...stored, handledAt: time } : stored;
  });
  return claim;
}

function claimOf({ state, handledAt }: StoredEntry, time: number): Claim {
  if (state !== undefined) return 'gone';
  const heldUntil = (handledAt ?? -HANDLING_MS) + HANDLING_MS;
  return heldUntil > time ? { heldUntil } : 'ours';
}

/** Takes the note of `claimEntry` back. */
async function releaseEntry(
  { options: { store }, clock }: JournalClient,
  { id }: JournalEntry,
  time: number | undefined,
): Promise<void> {
  await pagesOf(store, clock).change(id, ({ handledAt, ...stored }) =>
    handledAt === time ? stored : { ...stored, handledAt },
  );
}

/** Removes an entry, and remembers its verdict. */
async function removeEntry(
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
    verdict !== 'not_executed',
  );
}

/**
 * Creates a journal for the option `journal` of a client. Before a request that must not be sent twice
 * leaves, the client writes an entry; it closes the entry when the outcome is known. After a crash,
 * or an outcome `unknown`, `client.journal` lists what is open and looks it up.
 *
 * @throws ConfigurationError that says which option cannot work
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createJournal } from 'card-platform-sdk/journal';
 * import { folderStore } from 'card-platform-sdk/stores';
 *
 * const client = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 *   journal: createJournal({ store: folderStore('./card-platform') }),
 * });
 * console.log(await client.journal.pending());
 * ```
 */
export function createJournal(given: JournalOptions): Journal {
  const options = requireJournalOptions(given);
  lookupsOf(options);
  const seen: SeenTime = { latest: undefined };
  return Object.freeze({
    [JOURNAL]: {
      sendsWithoutEntry: options.onStoreFailure === 'send',
      recorder: (clock, isProxied) => createRecorder(options, seen, { clock, isProxied }),
      sees(headers, isProxied) {
        const time = serviceTime(headers, isProxied);
        if (time !== undefined) seen.latest = Math.max(seen.latest ?? 0, time);
      },
      faultOf: (error) => (isInstance(error, StoreFault) ? error.message : undefined),
      of: (lookup) => {
        const client = { ...lookup, options };
        return Object.freeze({
          pending: () => listPending(client),
          reconcile: async (entry, more = {}) => (await reconcileEntry(client, entry, more)).result,
          recover: async (handler, more = {}) => recoverEntries(client, handler, more),
          remove: (entry, verdict) => removeEntry(client, entry, verdict),
        });
      },
    },
  } satisfies Journal);
}
