import type { Endpoint, OwnLook } from '../contract/endpoint.js';
import { isObject } from '../contract/formats/is-object.js';
import { isSecretInError } from '../transport/response/secret-names.js';
import { decideByCount, type Effect, type Finding, undecided } from './count-effects.js';
import { holds } from './entry-details.js';
import { readTime } from './entry-times.js';
import type { JournalEntry } from './journal-types.js';
import type { Look, LookContext } from './look.js';
import type { LookTools, SeenEffect } from './own-reconcile.js';
import { readDebits } from './read-debits.js';
import type { Row } from './reads.js';
import { ofOperation } from './rivals.js';
import { compareAmounts } from './same-amount.js';
import { executed, notExecuted } from './state-finding.js';

type Details = JournalEntry['details'];

const NOTHING_USABLE = 'the function look of this endpoint returned no usable result';

/** The time of an effect in milliseconds since 1970; NaN for anything that is not one. */
function timeOf(value: unknown): number {
  return typeof value === 'number' ? value : readTime(value);
}

function toSeen({ amount, date }: Row): SeenEffect<'amount'> {
  return {
    time: readTime(date),
    matches: (details) => compareAmounts(amount, details.amount),
  };
}

function toolsFor(context: LookContext): LookTools {
  const { entry, reads, timesOf } = context;
  return {
    entry,
    details: entry.details,
    read: async <Input, Output>(endpoint: Endpoint<Input, Output, 'safe'>, input: Input) =>
      ((await reads.read(endpoint, input)) ?? undefined) as Output | undefined,
    show: (source, rows, fields) => {
      const isSecret = isSecretInError(source);
      const shown = Array.isArray(rows) ? rows.filter(isObject) : [];
      reads.show(
        source.id,
        shown,
        fields.filter((name) => !isSecret(name)),
      );
    },
    isTooOld: (time) => timeOf(time) < timesOf(entry).earliest,
    readDebits: async (wallet) => (await readDebits(context, wallet))?.map(toSeen),
  };
}

/** An effect as the journal counts it. One that cannot be read could be of any request. */
function toEffect(seen: unknown, names: readonly string[]): Effect {
  const effect: Partial<SeenEffect> = isObject(seen) ? seen : {};
  const match = (details: Details): unknown =>
    typeof effect.matches === 'function' && holds(details, names)
      ? effect.matches(details)
      : 'maybe';
  return {
    time: timeOf(effect.time),
    isOf: (details) => match(details) === true,
    mayBeOf: (details) => match(details) !== false,
  };
}

function judge(context: LookContext, { details }: OwnLook, result: unknown): Finding {
  if (!isObject(result)) return undecided(NOTHING_USABLE);
  const { effects, isDone, reason } = result;
  if (effects !== undefined) {
    if (!Array.isArray(effects)) return undecided(NOTHING_USABLE);
    const rivals = ofOperation(context.rivals, context.entry.operation);
    return decideByCount(
      { ...context, rivals },
      effects.map((seen) => toEffect(seen, details)),
    );
  }
  const why = (otherwise: string) => (typeof reason === 'string' ? reason : otherwise);
  if (isDone === true) return executed(context, why('the service shows what was requested'));
  if (isDone === false) return notExecuted(context, why('the service does not show it'));
  return undecided(why('the reads do not show what became of the request'));
}

/** Looks for the effect of a request to an endpoint outside the contract, as it declares. */
export function lookAtOwn(own: OwnLook): Look {
  const look = own.look as (tools: LookTools) => unknown;
  return async (context) => judge(context, own, await look(toolsFor(context)));
}
