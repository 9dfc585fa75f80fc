import type { Finding } from './count-effects.js';
import type { TimesOf } from './entry-times.js';
import type { JournalEntry } from './journal-types.js';
import type { Reads } from './reads.js';
import type { Rivals } from './rivals.js';

/** The parts of the journal that a look uses. */
export type LookContext = {
  readonly entry: JournalEntry;
  readonly reads: Reads;
  readonly rivals: Rivals;
  /** Call it after the reads, which show the service's clock. */
  readonly timesOf: TimesOf;
};

/** Looks up what became of a request, by reads only. */
export type Look = (context: LookContext) => Promise<Finding>;
