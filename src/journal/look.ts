import type { Finding } from './count-effects.js';
import type { JournalEntry } from './journal-types.js';
import type { Reads } from './reads.js';
import type { Rivals } from './rivals.js';

/** What a look may use. */
export type LookContext = {
  readonly entry: JournalEntry;
  readonly reads: Reads;
  readonly rivals: Rivals;
  readonly settleTime: number;
};

/** Looks up what became of a request, by reads only. */
export type Look = (context: LookContext) => Promise<Finding>;
