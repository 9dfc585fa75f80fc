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
import { type JournalOptions, requireJournalOptions } from './options.js';
import { ownLooksOf } from './own-looks.js';
import { openEntries, pagesOf } from './pages.js';
import { type JournalClient, type LookedUp, lookUp } from './reconcile.js';
import { createRecorder, type SeenTime } from './recorder.js';
import { isEntry } from './stored-entry.js';

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

/** Looks up every entry of the client's user, and removes those that are decided and handled. */
async function recoverEntries(
  client: JournalClient,
  handler: (found: RecoveredEntry) => unknown,
  options: ReconcileOptions,
): Promise<void> {
  if (typeof handler !== 'function') {
    throw new ConfigurationError('handler', 'handler must be a function.');
  }
  for (const entry of await listPending(client)) {
    const { result, isOfOther } = await reconcileEntry(client, entry, options);
    if (isOfOther) continue;
    await handler({ ...result, entry });
    if (result.verdict !== 'undecided') await removeEntry(client, entry, result.verdict);
  }
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
