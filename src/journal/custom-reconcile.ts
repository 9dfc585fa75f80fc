import type { LookReads, Reconcile } from '../contract/lookup.js';
import type { JournalEntry } from './journal-types.js';

export type { LookResult, SeenEffect } from '../contract/lookup.js';

/** The tools of a `look`. Every read has the request's region and the client's current token. */
export type LookTools<Detail extends string = string> = LookReads & {
  /** The fields of the request that the entry holds, as text. An absent field is `''`. */
  readonly details: Readonly<Record<Detail, string>>;
  readonly entry: JournalEntry;
};

/** How the journal looks for the effect of an endpoint of your own; see `defineEndpoint`. */
export type CustomReconcile<
  Field extends string = string,
  Detail extends Field = Field,
> = Reconcile<Field, Detail, LookTools<NoInfer<Detail>>>;
