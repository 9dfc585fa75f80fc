import type { Call } from '../world/ledger.js';
import type { Invariant } from './invariant.js';

// Safety alone is easy: a client that does nothing violates no other invariant. These hold at the end
// of a world, when no fault happens any more.

const named = ({ id, intention }: Call) => `call ${id}, ${intention.operation.id}`;
const wasRefused = ({ lastStatus = 0 }: Call) => lastStatus >= 400 && lastStatus < 500;

/** A read whose first connection breaks succeeds, unless the service itself refuses it. */
export const readSucceeds: Invariant = {
  name: 'read-succeeds',
  on: ['ended'],
  check: (_, happening) => {
    if (happening.kind !== 'ended' || happening.error === undefined) return;
    const { call } = happening;
    const isRead = call.intention.operation.retryClass === 'safe';
    if (!isRead || !call.startedInCalm || call.sent + call.sentToProxy === 0) return;
    if (wasRefused(call)) return;
    return `${String(Object(happening.error).code)} without a fault: ${named(call)}`;
  },
};

/** A request that the service has refused, with its own response, is `rejected`. */
export const refusalIsRejected: Invariant = {
  name: 'refusal-is-rejected',
  on: ['ended'],
  check: (_, happening) => {
    if (happening.kind !== 'ended') return;
    const { call } = happening;
    // A 401 leads to another request, with another token.
    const isRefusal = wasRefused(call) && call.refusedTokens === 0 && call.processed === 1;
    if (!call.startedInCalm || !isRefusal || call.outcome === 'rejected') return;
    return `${call.outcome} after ${call.lastStatus}: ${named(call)}`;
  },
};
