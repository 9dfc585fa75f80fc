import { getEventListeners } from 'node:events';
import type { Invariant } from './invariant.js';

/**
 * A call waits at most two seconds for the removal of its journal entry, because disks are slow.
 */
const REMOVAL_MS = 2_100;

/** Every call ends within its limit. */
export const endsInTime: Invariant = {
  name: 'ends-in-time',
  on: ['step'],
  check: ({ ledger, scheduler }, happening) => {
    if (happening.kind !== 'step') return;
    for (const call of ledger.running) {
      const late = scheduler.now - call.endsBy - REMOVAL_MS;
      if (call.process.isAlive && late > 0) {
        return `call ${call.id} (${call.intention.operation.id}) is ${late} ms late`;
      }
    }
    return undefined;
  },
};

/** An aborted call ends at once; with a journal, when its entry is removed. */
export const abortEnds: Invariant = {
  name: 'abort-ends-call',
  on: ['step'],
  check: ({ ledger, scheduler }, happening) => {
    if (happening.kind !== 'step') return;
    for (const call of ledger.running) {
      if (call.abortedAt === undefined || !call.process.isAlive) continue;
      const allowed = call.hasJournal ? REMOVAL_MS : 0;
      if (scheduler.now - call.abortedAt > allowed)
        return `call ${call.id} goes on after its abort`;
    }
    return undefined;
  },
};

/** A call leaves no listener on the signal of its caller. */
export const noListenerLeft: Invariant = {
  name: 'no-listener-left',
  on: ['ended'],
  check: (_, happening) => {
    if (happening.kind !== 'ended') return;
    const { length } = getEventListeners(happening.signal, 'abort');
    return length > 0 ? `${length} listeners after call ${happening.call.id}` : undefined;
  },
};

/** At the end nothing remains open: no timer, no exchange, no call. */
export const nothingOpen: Invariant = {
  name: 'nothing-left-open',
  on: ['ended', 'over'],
  check: ({ ledger }, happening) => {
    if (happening.kind === 'ended') {
      const { process, id } = happening.call;
      const isBusy = [...ledger.running].some((call) => call.process === process);
      if (!process.isIdleBetweenCalls || isBusy || process.openTimers === 0) return;
      return `${process.openTimers} timers after call ${id}`;
    }
    if (happening.kind !== 'over') return;
    if (ledger.openExchanges > 0) return `${ledger.openExchanges} exchanges are open`;
    const running = [...ledger.running].filter(({ process }) => process.isAlive);
    if (running.length > 0) return `${running.length} calls are running`;
    const open = ledger.processes.find(({ isAlive, openTimers }) => isAlive && openTimers > 0);
    return open && `${open.name} has ${open.openTimers} timers`;
  },
};
