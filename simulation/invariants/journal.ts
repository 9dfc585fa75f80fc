import type { Call } from '../world/ledger.js';
import { hasEntry, stateOfEntry } from '../world/store.js';
import type { World } from '../world/world.js';
import type { Invariant } from './invariant.js';

/** Whether the store of a call may have failed to write, or to remove, its entry. */
const hasFailedStore = ({ process: { machine } }: Call) => machine.storeFaults > 0;

/** Whether the store may have failed to write the entry of a call that is then sent without one. */
const mayLackEntry = (call: Call) => call.mayLackEntry && hasFailedStore(call);

/** A request that must not be sent twice has an entry in the journal before it leaves. */
export const entryBeforeRequest: Invariant = {
  name: 'entry-before-request',
  on: ['sent'],
  check: (_, happening) => {
    if (happening.kind !== 'sent' || happening.call?.hasJournal !== true) return;
    const { call } = happening;
    if (call.intention.operation.retryClass !== 'never' || hasEntry(call)) return;
    if (mayLackEntry(call)) return;
    return `call ${call.id} (${call.intention.operation.id}) left without an entry`;
  },
};

/** An entry that remains at the end although the outcome of its call is known. */
function leftOver({ ledger }: World): string | undefined {
  const left = ledger.calls.find(
    (call) =>
      call.outcome !== undefined &&
      !['unknown', 'not_sent'].includes(call.outcome) &&
      !hasFailedStore(call) &&
      hasEntry(call),
  );
  return left && `call ${left.id} was ${left.outcome}, and its entry is there at the end`;
}

/**
 * A call whose outcome is unknown has an entry in the journal, and a call whose outcome is known
 * has none.
 */
export const entryWhileUnknown: Invariant = {
  name: 'entry-exactly-while-unknown',
  on: ['ended', 'over'],
  check: (world, happening) => {
    if (happening.kind === 'over') return leftOver(world);
    if (happening.kind !== 'ended' || !happening.call.hasJournal) return;
    const { call } = happening;
    if (call.intention.operation.retryClass !== 'never') return;
    const isOpen = hasEntry(call);
    const isExpected = !call.mayShareError && !call.isFound && !mayLackEntry(call);
    if (call.outcome === 'unknown' && !isOpen && isExpected)
      return `call ${call.id} is unknown and has no entry`;
    const isWrong = isOpen && !hasFailedStore(call);
    if (call.outcome !== 'unknown' && isWrong && call.outcome !== 'not_sent') {
      return `call ${call.id} is ${call.outcome} and still has an entry`;
    }
    return undefined;
  },
};

/**
 * A process that dies leaves the entry of each request that was executed, or the note that it was,
 * unless a look has found it.
 */
export const crashLeavesEntry: Invariant = {
  name: 'crash-leaves-entry',
  on: ['died'],
  check: (world, happening) => {
    if (happening.kind !== 'died') return;
    const { running } = world.ledger;
    const died = [...running].filter(({ process }) => process === happening.process);
    for (const call of died) running.delete(call);
    const problemOf = (call: Call) => {
      const isRecorded = call.hasJournal && call.intention.operation.retryClass === 'never';
      if (!isRecorded || mayLackEntry(call)) return undefined;
      const state = stateOfEntry(call);
      if (state === undefined && call.effects > 0 && !call.isFound) return 'has no entry';
      return state === 'executed' && call.successes === 0 ? 'is noted as executed' : undefined;
    };
    const call = died.find((each) => problemOf(each) !== undefined);
    return call && `call ${call.id}, with ${call.effects} effects, ${problemOf(call)}`;
  },
};

/** `recover` passes a verdict to one handler at a time, in all programs that share a store. */
export const oneHandlerAtATime: Invariant = {
  name: 'one-handler-at-a-time',
  on: ['handled'],
  check: (_, happening) => {
    if (happening.kind !== 'handled') return;
    const { call, process, verdict } = happening;
    const { handler } = call;
    if (handler === undefined || handler === process || !handler.isAlive) return;
    return `${process.name} got ${verdict} of call ${call.id} while ${handler.name} was handling it`;
  },
};
