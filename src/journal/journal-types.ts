import type { Open } from '../contract/common.js';
import type { EndpointId } from '../contract/endpoints.js';
import type { LookReads, Reconcile } from '../contract/lookup.js';
import type { Region } from '../transport/request/wire-request.js';

/** A request whose outcome is not known. Plain data without any secret: it can be sent and stored. */
export type JournalEntry = {
  /** Id of this entry. Random; the service does not know it. */
  id: string;
  /**
   * Endpoint id, for example `wallets.credit.withdraw`; `request` for `client.request()`;
   * `unreadable` for an entry that was damaged or lost in the store.
   */
  operation: string;
  /**
   * When the entry was written, in milliseconds since 1970 by the clock of this client. No verdict
   * depends on it.
   */
  at: number;
  /**
   * The service's own time when it was last known before the request left, in milliseconds since
   * 1970, as are all times of an entry.
   */
  since?: number | undefined;
  /** The service's own time when it was first known after the request had left. */
  until?: number | undefined;
  /** The service's own time of the first look since which every look has found nothing. */
  emptySince?: number | undefined;
  /** The verdict of an earlier look. */
  verdict?: 'executed' | 'not_executed' | undefined;
  /** The service's own time when `recover` passed the verdict to a handler that has not ended yet. */
  handledAt?: number | undefined;
  /** How long the call could take, in milliseconds; absent for a minute or less. */
  lasts?: number | undefined;
  /** Where the request went. Behind a proxy `global` for a request of a user: the session decides. */
  region: Region;
  /** Id of the user, if it was known. */
  user?: string | undefined;
  /** Part of a hash of the access token: recognises the same token without revealing it. */
  tokenHash?: string | undefined;
  /**
   * The input fields that identify the request, such as `amount`. Never a secret. For
   * `client.request()`, and for an endpoint that declares no `reconcile`: `method` and `path`.
   */
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

/**
 * Something other than the request that may explain what the reads show: another request of the
 * journal, a card purchase, or another device or client of the user.
 */
export type JournalCause =
  | {
      readonly kind: 'request';
      readonly request: Pick<JournalEntry, 'id' | 'operation' | 'at' | 'details'>;
    }
  | { readonly kind: 'card_purchase'; readonly purchase: Readonly<Record<string, unknown>> }
  | { readonly kind: 'elsewhere' };

/** The result of looking up an entry. */
export type Reconciliation = {
  verdict: JournalVerdict;
  /** Why, in a sentence for a log. */
  reason: string;
  evidence: readonly JournalEvidence[];
  /** What else may explain the evidence. Empty for a verdict other than `undecided`. */
  otherCauses: readonly JournalCause[];
  /**
   * When a look may show more, by the service's clock: ISO 8601. Absent if the verdict is decided, or
   * if no later look is known to help: a person must then decide.
   */
  lookAgainAt?: string | undefined;
};

/** An entry that `recover` has looked up. */
export type RecoveredEntry = Reconciliation & { entry: JournalEntry };

/** Options of `reconcile`. */
export type ReconcileOptions = {
  /** Aborts the reads. */
  signal?: AbortSignal | undefined;
  /**
   * How long the service may need to finish a request and show its effect, in milliseconds. Before
   * a request is `not_executed`, two looks must find nothing, at least this long plus the longest
   * duration of the call apart. Default 300,000 (5 minutes).
   */
  settleTime?: number | undefined;
};

/**
 * The requests whose outcome is not known: those in flight when a program ended, and those that
 * ended with the outcome `unknown`. Needs the option `journal` of the client.
 *
 * Tabs and processes may share a store, without a lock: no entry is lost. A request is decided only
 * when nothing else explains what the service shows, by the service's own clock. `executed` also
 * needs the option `hasAllRequests`, because no read shows what another device has done. So does
 * `not_executed` for a request that changes a state, such as linking a wallet.
 */
export type ClientJournal = {
  /**
   * Lists the entries of the store, of all users, oldest first. Requests that are under way have an
   * entry too. A damaged entry is listed as `unreadable`, because its request may have been sent.
   *
   * @throws the errors of the store; ConfigurationError when the client has no journal
   * @example
   * ```ts
   * for (const entry of await userClient.journal.pending()) {
   *   const { verdict } = await userClient.journal.reconcile(entry);
   *   console.log(entry.operation, verdict);
   * }
   * ```
   */
  pending(): Promise<readonly JournalEntry[]>;

  /**
   * Looks up whether a request was executed. It only reads: nothing is sent again, and the entry
   * stays until you call `remove`. The entry remembers the look: `not_executed` needs a second one,
   * at `lookAgainAt` or later, also by another program. An entry of another user is `undecided`,
   * and nothing is looked up for it.
   *
   * @throws the errors of the reads, of the token provider and of the store: look again later;
   *   ConfigurationError when the client has no journal, the entry or an option is not valid, or
   *   `journal.user` is longer than 100 characters
   * @example
   * ```ts
   * const [entry] = await userClient.journal.pending();
   * if (entry !== undefined) {
   *   const { verdict, reason, evidence } = await userClient.journal.reconcile(entry);
   *   console.log(verdict, reason, evidence);
   *   if (verdict !== 'undecided') await userClient.journal.remove(entry, verdict);
   * }
   * ```
   */
  reconcile(entry: JournalEntry, options?: ReconcileOptions): Promise<Reconciliation>;

  /**
   * Looks up every entry of the client's user, oldest first, and calls the handler with each one,
   * including those that stay `undecided`. A decided entry is removed when the handler has
   * returned, or when its promise is fulfilled. If the handler throws, `recover` rejects with its
   * error, the entry stays, and the next `recover` calls the handler for it again. An undecided
   * entry is never removed: call `recover` again at `lookAgainAt`.
   *
   * Among all calls and programs that share the store, only one handler at a time gets a verdict. While
   * another one handles it, or if it was decided after this call had begun, the entry is `undecided` here.
   * If a program ends before its handler does, the verdict is passed on again 10 minutes later, by the
   * service's clock. A handler that sends a request again must end before that, and store `entry.id` with
   * the new request.
   *
   * An entry whose user is not known is passed on only to a client with the access token of its
   * request. For every other client `recover` rejects, after all others have been handled: the
   * request may be this user's, so nothing may be sent again. It also rejects if it needs to know who is
   * logged in, and the service does not say it or names another user than `journal.user`, and for a
   * request to another region than that of the session, if it may be this user's.
   *
   * A damaged entry is passed on to every client, as `undecided`. So is an entry that has neither a
   * user nor an access token, if its endpoint declares no `look`.
   *
   * @throws the errors of the handler, of the reads, of the token provider and of the store;
   *   ConfigurationError when the client has no journal or no access token, the handler or an option
   *   is not valid, `journal.user` is missing behind a proxy or longer than 100 characters, or an open
   *   request may be this user's and could not be looked up
   * @example
   * ```ts
   * await userClient.journal.recover(async ({ entry, verdict, lookAgainAt }) => {
   *   console.log(entry.operation, entry.details, verdict, lookAgainAt);
   * });
   * ```
   */
  recover(handler: (found: RecoveredEntry) => unknown, options?: ReconcileOptions): Promise<void>;

  /**
   * Removes an entry. A verdict other than `not_executed` is remembered for about two days, because
   * it counts when a request like this one is looked up. Pass `undecided` if it is still unknown.
   *
   * @throws the errors of the store; ConfigurationError when the client has no journal, or for
   *   anything that is not an entry or not a verdict: the entry stays
   * @example
   * ```ts
   * const [entry] = await userClient.journal.pending();
   * if (entry !== undefined) await userClient.journal.remove(entry, 'executed');
   * ```
   */
  remove(entry: JournalEntry, verdict: JournalVerdict): Promise<void>;
};

/** The tools of a `look`. Every read has the request's region and the client's current token. */
export type LookTools<Detail extends string = string> = LookReads & {
  /** The fields of the request that the entry contains, as text. An absent field is `''`. */
  readonly details: Readonly<Record<Detail, string>>;
  readonly entry: JournalEntry;
};

/** How the journal looks for the effect of an endpoint of your own; see `defineEndpoint`. */
export type CustomReconcile<
  Field extends string = string,
  Detail extends Field = Field,
> = Reconcile<Field, Detail, LookTools<NoInfer<Detail>>>;
