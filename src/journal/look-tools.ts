import type { Endpoint } from '../contract/endpoint.js';
import { isObject } from '../contract/formats/is-object.js';
import { isSameAmount } from '../contract/formats/same-values.js';
import type { DebitedWallet, Row, SeenEffect } from '../contract/lookup.js';
import { isSecretInError } from '../transport/response/redact.js';
import { holds } from './entry-details.js';
import { readTime } from './entry-window.js';
import type { Effect } from './finding.js';
import { readDebits } from './history.js';
import type { AnyLookTools } from './lookups.js';
import type { Reads } from './reads.js';
import type { StoredEntry } from './stored-entry.js';

/** The time of an effect in milliseconds since 1970; NaN for anything that is not one. */
function timeOf(value: unknown): number {
  return typeof value === 'number' ? value : readTime(value);
}

/** A debit. One of another amount may include a fee, of any size. */
function toSeen({ amount, date }: Row): SeenEffect<'amount'> {
  return {
    time: readTime(date),
    matches: (details) => isSameAmount(amount, details.amount) || 'maybe',
  };
}

/** Returns the tools of a look. `hasReadDebits` says whether it has looked at a wallet. */
export function createTools(
  entry: StoredEntry,
  reads: Reads,
  { horizon, settleTime }: { readonly horizon: number; readonly settleTime: number },
): { readonly tools: AnyLookTools; readonly hasReadDebits: () => boolean } {
  let hasReadDebits = false;
  const tools: AnyLookTools = {
    entry,
    details: entry.details,
    read: async <Input, Output>(endpoint: Endpoint<Input, Output, 'safe'>, input: Input) =>
      ((await reads.read(endpoint, input)) ?? undefined) as Output | undefined,
    readRow: async (endpoint, input) =>
      (await reads.read(endpoint, input)) as Row | null | undefined,
    readRows: (endpoint, input) => reads.list(endpoint, input),
    show: (source, rows, fields) => {
      const isSecret = isSecretInError(source);
      const shown = Array.isArray(rows) ? rows.filter(isObject) : [];
      reads.show(
        source.id,
        shown,
        fields.filter((name) => !isSecret(name)),
      );
    },
    isTooOld: (time) => timeOf(time) < horizon,
    readDebits: async (wallet: DebitedWallet) => {
      hasReadDebits = true;
      return (await readDebits(reads, wallet, { since: horizon, settleTime }))?.map(toSeen);
    },
  };
  return { tools, hasReadDebits: () => hasReadDebits };
}

/** An effect as the journal counts it. One that cannot be read could be of any request. */
export function toEffect(seen: unknown, operation: string, names: readonly string[]): Effect {
  const effect: Partial<SeenEffect> = isObject(seen) ? seen : {};
  return {
    time: timeOf(effect.time),
    matches: (request) => {
      const isReadable =
        typeof effect.matches === 'function' &&
        request.operation === operation &&
        holds(request.details, names);
      const result: unknown = isReadable && effect.matches?.(request.details);
      return isReadable && typeof result === 'boolean' ? result : 'maybe';
    },
  };
}
