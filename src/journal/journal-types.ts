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
