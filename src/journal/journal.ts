import { ConfigurationError, ConnectionError } from '../errors/index.js';
import { type Send, settingsOfSend } from '../transport/send.js';
import { ownOptions } from '../transport/settings/own-options.js';
import type {
  JournalEntry,
  JournalVerdict,
  ReconcileOptions,
  Reconciliation,
} from './journal-types.js';
import { READ_ENDPOINTS } from './read-endpoints.js';

/** Returns the parts of a client that its journal uses. */
function clientOf(send: Send) {
  const { journal: options, attempts, credentials, request } = settingsOfSend(send) ?? {};
  if (options === undefined || attempts === undefined) {
    throw new ConfigurationError(
      'journal',
      'the client has no journal. Pass it the option journal, with a store.',
    );
  }
  return {
    send,
    options,
    clock: attempts.clock,
    tokens: credentials?.tokens,
    isProxied: request?.isProxied,
    endpoints: READ_ENDPOINTS,
  };
}

/** Gives a failed `import()` an outcome and the next step. */
function notLoaded(cause: unknown): never {
  const message = 'the code of the journal could not be loaded.';
  const advice = 'The entries are unchanged. Reload the page, then try again.';
  const facts = { operation: 'journal', outcome: 'not_sent', isRetryable: true } as const;
  throw new ConnectionError({ ...facts, message, advice }, cause);
}

/**
 * The requests whose outcome is not known: those in flight when a program ended, and those that
 * ended with the outcome `unknown`. Needs the option `journal` of the client.
 *
 * Tabs and processes may share a store, without a lock: no entry is lost. An effect is recognised
 * by its kind, its amount and its time. If another device, or a client without this journal, sends
 * an equal request within ten minutes of this one, the journal can mistake it for the one that it looks
 * up.
 */
export class Journal {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists the entries of the store, of all users, oldest first. Requests that are under way have an
   * entry too. A damaged entry is listed as `unreadable`, because its request may
   * have been sent.
   *
   * @throws the errors of the store; ConfigurationError when the client has no journal;
   *   ConnectionError when a page cannot load the code of the journal
   * @example
   * ```ts
   * for (const entry of await user.journal.pending()) {
   *   const { verdict } = await user.journal.reconcile(entry);
   *   console.log(entry.operation, verdict);
   * }
   * ```
   */
  async pending(): Promise<readonly JournalEntry[]> {
    const client = clientOf(this.#send);
    return import('./open-journal.js').then(({ listPending }) => listPending(client), notLoaded);
  }

  /**
   * Looks up whether a request was executed. It only reads: nothing is sent again, and the entry
   * stays until you call `remove`. An entry of another user is `undecided`, and its effect is not
   * looked for.
   *
   * @throws the errors of the reads and of the store: look again later; ConfigurationError when the
   *   client has no journal, or the entry or an option is not valid; ConnectionError when a page
   *   cannot load the code of the journal
   * @example
   * ```ts
   * const [entry] = await user.journal.pending();
   * if (entry !== undefined) {
   *   const { verdict, reason, evidence } = await user.journal.reconcile(entry);
   *   console.log(verdict, reason, evidence);
   *   if (verdict !== 'undecided') await user.journal.remove(entry, verdict);
   * }
   * ```
   */
  async reconcile(entry: JournalEntry, options: ReconcileOptions = {}): Promise<Reconciliation> {
    const client = clientOf(this.#send);
    // Here, because in the code that is loaded later it would stay in every page that sends.
    const given = ownOptions<ReconcileOptions>(options, ['signal', 'settleTime']);
    return import('./open-journal.js').then(
      ({ reconcileEntry }) => reconcileEntry(client, entry, given),
      notLoaded,
    );
  }

  /**
   * Removes an entry. The verdict is remembered for a while, because it counts when a request like
   * this one is looked up: pass `undecided` if it is still unknown.
   *
   * @throws the errors of the store; ConfigurationError when the client has no journal, or for
   *   anything that is not an entry or not a verdict: the entry stays; ConnectionError when a page
   *   cannot load the code of the journal
   * @example
   * ```ts
   * const [entry] = await user.journal.pending();
   * if (entry !== undefined) await user.journal.remove(entry, 'executed');
   * ```
   */
  async remove(entry: JournalEntry, verdict: JournalVerdict): Promise<void> {
    const client = clientOf(this.#send);
    return import('./open-journal.js').then(
      ({ removeEntry }) => removeEntry(client, entry, verdict),
      notLoaded,
    );
  }
}
