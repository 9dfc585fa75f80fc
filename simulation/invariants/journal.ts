import { hasEntry } from '../world/store.js';
import type { Invariant } from './invariant.js';

/** Before a request leaves that must not be sent twice, the journal has its entry. */
export const entryBeforeRequest: Invariant = {
  name: 'entry-before-request',
  on: ['sent'],
  check: (_, happening) => {
    if (happening.kind !== 'sent' || happening.call?.hasJournal !== true) return;
    const { call } = happening;
    if (call.intention.operation.retryClass !== 'never' || hasEntry(call)) return;
    return `call ${call.id} (${call.intention.operation.id}) left without an entry`;
  },
};

/** What nobody knows the outcome of is in the journal, and what is known is not. */
export const entryWhileUnknown: Invariant = {
  name: 'entry-exactly-while-unknown',
  on: ['ended'],
  check: (world, happening) => {
    if (happening.kind !== 'ended' || !happening.call.hasJournal) return;
    const { call } = happening;
    if (call.intention.operation.retryClass !== 'never') return;
    const isOpen = hasEntry(call);
    if (call.outcome === 'unknown' && !isOpen) return `call ${call.id} is unknown and has no entry`;
    const mayFail = world.faults.counts.has('store');
    if (call.outcome !== 'unknown' && isOpen && !mayFail && call.outcome !== 'not_sent') {
      return `call ${call.id} is ${call.outcome} and still has an entry`;
    }
    return undefined;
  },
};
