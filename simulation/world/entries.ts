import { type Choices, DEFAULT_TOTAL_TIMEOUT_MS } from './choices.js';
import type { Operation } from './operations.js';
import type { Process } from './process.js';

/** A call whose entry is looked for. */
type Recorded = {
  readonly id: number;
  readonly process: Process;
  readonly intention: { readonly operation: Operation };
  readonly hasJournal: boolean;
  readonly startedAt: number;
  readonly endsBy: number;
  entryId: string | undefined;
};

type Entry = { readonly id: string; readonly operation: string; readonly lasts?: number };

/** How long the store may still be writing the entry of a call that has ended. */
const WRITING_MS = 40_000;
/** Longer than any limit that applications choose: those above it belong to one call each. */
const FIRST_OWN_LIMIT_MS = 100_001;

/**
 * Finds the call to which an entry of the journal belongs. Usually a program makes one call of an
 * operation at a time: its next entry of the operation is that of the call. Otherwise a call has a
 * limit of its own, which its entry shows.
 */
export class Entries<Call extends Recorded> {
  readonly #calls = new Map<string, Call>();
  /** Calls without a limit of their own that have no entry yet, by program and operation. */
  readonly #waiting = new Map<Process, Map<string, Call>>();

  /** Returns the limit that a call must pass to be recognised; `undefined` if it needs none. */
  limitFor(call: Omit<Recorded, 'endsBy'>): number | undefined {
    const { id, process, intention, hasJournal, startedAt } = call;
    if (!hasJournal || intention.operation.retryClass !== 'never') return undefined;
    const other = this.#waiting.get(process)?.get(intention.operation.id);
    const isAlone = other === undefined || other.endsBy + WRITING_MS < startedAt;
    return isAlone ? undefined : FIRST_OWN_LIMIT_MS + id;
  }

  /** Expects the entry of a call that has no limit of its own. */
  expect(call: Call): void {
    const { process, intention } = call;
    const waiting = this.#waiting.get(process) ?? new Map<string, Call>();
    this.#waiting.set(process, waiting.set(intention.operation.id, call));
  }

  /** Notes an entry that a program has written. */
  note(entry: Entry, process: Process, calls: readonly Call[]): void {
    const { id, operation, lasts = 0 } = entry;
    if (this.#calls.has(id)) return;
    const own = calls[lasts - FIRST_OWN_LIMIT_MS];
    const waiting = this.#waiting.get(process);
    const call = own ?? waiting?.get(operation);
    if (call === undefined) return;
    if (own === undefined) waiting?.delete(operation);
    this.#calls.set(id, call);
    call.entryId = id;
  }

  callOf({ id }: { id: string }): Call | undefined {
    return this.#calls.get(id);
  }
}

/** How long a call may last. */
export const limitOf = (own: number | undefined, { totalTimeout }: Choices): number =>
  own ?? totalTimeout ?? DEFAULT_TOTAL_TIMEOUT_MS;
