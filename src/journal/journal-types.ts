import type { Open } from '../contract/common.js';
import type { EndpointId } from '../contract/endpoints.js';
import type { Region } from '../transport/request/wire-request.js';

/** A request whose outcome is not known. Plain data without any secret: it can be sent and stored. */
export type JournalEntry = {
  /** Id of this entry. Random; the service does not know it. */
  id: string;
  /**
   * Endpoint id, for example `wallets.credit.withdraw`; `request` for `client.request()`;
   * `unreadable` for an entry that was damaged in the store.
   */
  operation: string;
  /** When the entry was written, in milliseconds since 1970 by the clock of this client. */
  at: number;
  /** How long the call could take, in milliseconds; absent for a minute or less. */
  lasts?: number | undefined;
  region: Region;
  /** Id of the user, where it was known. */
  user?: string | undefined;
  /** Part of a hash of the access token: recognises the same token without revealing it. */
  session?: string | undefined;
  /** The input fields by which the request is recognised, such as `amount`. Never a secret. */
  details: Readonly<Record<string, string>>;
};

/**
 * The result of a request. `executed`: the service did what was requested. `not_executed`: it did
 * not, and no longer will. `undecided`: the reads do not show whether it did.
 */
export type JournalVerdict = 'executed' | 'not_executed' | 'undecided';

/** The evidence of one read. */
export type JournalEvidence = {
  /** The endpoint that was read. */
  source: Open<EndpointId>;
  /** The objects that the verdict depends on: history entries, wallets, the card. */
  found: readonly object[];
};

/** The result of looking up an entry. */
export type Reconciliation = {
  verdict: JournalVerdict;
  /** Why, in a sentence for a log. */
  reason: string;
  evidence: readonly JournalEvidence[];
};

/** Options of `reconcile`. */
export type ReconcileOptions = {
  /** Aborts the reads. */
  signal?: AbortSignal | undefined;
  /**
   * How old an entry must be before a missing effect counts as `not_executed`, in milliseconds: the
   * service may still work on the request, or show its effect late. Default 300,000 (5 minutes).
   */
  settleTime?: number | undefined;
};

/**
 * The requests whose outcome is not known: those in flight when a program ended, and those that
 * ended with the outcome `unknown`. Needs the option `journal` of the client.
 *
 * Tabs and processes may share a store, without a lock: no entry is lost. An effect is recognised
 * by its kind, its amount and its time. If another device, or a client without this journal, sends
 * an equal request within ten minutes of this one, the journal can mistake it for the one that it looks
 * up.
 */
export type ClientJournal = {
  /**
   * Lists the entries of the store, of all users, oldest first. Requests that are under way have an
   * entry too. A damaged entry is listed as `unreadable`, because its request may
   * have been sent.
   *
   * @throws the errors of the store; ConfigurationError when the client has no journal
   * @example
   * ```ts
   * for (const entry of await user.journal.pending()) {
   *   const { verdict } = await user.journal.reconcile(entry);
   *   console.log(entry.operation, verdict);
   * }
   * ```
   */
  pending(): Promise<readonly JournalEntry[]>;

  /**
   * Looks up whether a request was executed. It only reads: nothing is sent again, and the entry
   * stays until you call `remove`. An entry of another user is `undecided`, and its effect is not
   * looked for.
   *
   * @throws the errors of the reads and of the store: look again later; ConfigurationError when the
   *   client has no journal, or the entry or an option is not valid
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
  reconcile(entry: JournalEntry, options?: ReconcileOptions): Promise<Reconciliation>;

  /**
   * Removes an entry. The verdict is remembered for a while, because it counts when a request like
   * this one is looked up: pass `undecided` if it is still unknown.
   *
   * @throws the errors of the store; ConfigurationError when the client has no journal, or for
   *   anything that is not an entry or not a verdict: the entry stays
   * @example
   * ```ts
   * const [entry] = await user.journal.pending();
   * if (entry !== undefined) await user.journal.remove(entry, 'executed');
   * ```
   */
  remove(entry: JournalEntry, verdict: JournalVerdict): Promise<void>;
};
