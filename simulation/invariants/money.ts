import type { Call } from '../world/ledger.js';
import type { Invariant } from './invariant.js';

const isNever = ({ intention }: Call) => intention.operation.retryClass === 'never';
const named = ({ id, intention }: Call) =>
  `call ${id} of intention ${intention.id}, ${intention.operation.id}`;

/** An intention is executed at most once, including every retry that an error allows. */
export const movesOnce: Invariant = {
  name: 'moves-at-most-once',
  on: ['processed'],
  check: (_, happening) => {
    if (happening.kind !== 'processed' || !happening.hadEffect || !isNever(happening.call)) return;
    const { effects } = happening.call.intention;
    return effects > 1 ? `${effects} effects: ${named(happening.call)}` : undefined;
  },
};

/** A request of class `never` is not sent again once it may have arrived. */
export const sentOnce: Invariant = {
  name: 'never-sent-again',
  on: ['sent'],
  check: (_, happening) => {
    if (happening.kind !== 'sent' || happening.call === undefined) return;
    const { call } = happening;
    const { retryClass } = call.intention.operation;
    const most = { safe: 3, idempotent: 2, 'issues-token': 2, never: 1 }[retryClass];
    // After a 401 from the service itself, one more request with another token is allowed. If a
    // second request does no harm, it is also allowed after any other 401.
    const renewals = isNever(call) ? Math.min(1, call.refusedTokens) : 1;
    const allowed = Math.min(most, call.mostRequests) + renewals;
    // Page and proxy both retry reads. Only the proxy can renew a token. It works on a request again that
    // something on the way sends a second time.
    const isProxied = call.sentToProxy > 0 && !isNever(call);
    const ofPage = allowed - renewals + call.repeatedToProxy;
    const perHop = isProxied ? ofPage * (most + 1) : allowed;
    const sent = Math.max(call.sent, call.sentToProxy);
    return sent > perHop ? `${sent} requests: ${named(call)}` : undefined;
  },
};

/**
 * A session throws one error at all calls that wait for its token, whatever each has sent before: how
 * many requests had no effect anyway, because their token was refused or they only read.
 */
function excused(call: Call, error: unknown): number {
  if (!String(Object(error).code).startsWith('session_')) return 0;
  return call.intention.operation.retryClass === 'safe' ? call.processed : call.refusedTokens;
}

/** `not_sent` means that nothing left; it and `rejected` that nothing was done, then and later. */
export const denialIsTrue: Invariant = {
  name: 'denial-is-true',
  on: ['ended', 'processed'],
  check: (_, happening) => {
    if (happening.kind === 'ended') {
      const { call } = happening;
      const { outcome, effects } = call;
      const denies = outcome === 'not_sent' || outcome === 'rejected';
      if (denies && effects > 0) return `${outcome}, but it was done: ${named(call)}`;
      if (outcome === 'not_sent' && call.processed > excused(call, happening.error)) {
        return `not_sent, but it left: ${named(call)}`;
      }
    }
    if (happening.kind === 'processed' && happening.hadEffect) {
      const { outcome } = happening.call;
      if (outcome === 'not_sent' || outcome === 'rejected') {
        return `${outcome}, and then it was done: ${named(happening.call)}`;
      }
      const { deniedBy } = happening.call.intention;
      if (deniedBy === `call ${happening.call.id}`) {
        return `not_executed, and then it was done: ${named(happening.call)}`;
      }
    }
    return undefined;
  },
};

/** `executed` means that it was done. */
export const successIsTrue: Invariant = {
  name: 'success-is-true',
  on: ['ended'],
  check: (_, happening) => {
    if (happening.kind !== 'ended' || !isNever(happening.call)) return;
    const { call } = happening;
    if (call.outcome !== 'executed' || call.successes > 0) return;
    return `executed, but the service did nothing: ${named(call)}`;
  },
};

/** A verdict of the journal matches what happened. */
export const reconcileIsTrue: Invariant = {
  name: 'reconcile-is-true',
  on: ['reconciled'],
  check: (_, happening) => {
    if (happening.kind !== 'reconciled') return;
    const { call, verdict } = happening;
    if (verdict === 'executed' && call.successes === 0) return `executed, wrongly: ${named(call)}`;
    if (verdict === 'not_executed' && call.effects > 0) {
      return `not_executed, wrongly: ${named(call)}`;
    }
    return undefined;
  },
};

/** A success that arrives complete is reported as a success. */
export const successIsReported: Invariant = {
  name: 'success-is-reported',
  on: ['ended'],
  check: (_, happening) => {
    if (happening.kind !== 'ended') return;
    const { call, error, result } = happening;
    const { code } = Object(error) as { code?: string };
    if (
      error !== undefined &&
      call.hasSuccess &&
      call.abortedAt === undefined &&
      code !== 'timeout'
    ) {
      return `${code} after a success: ${named(call)}`;
    }
    const { faucetOutcome } = Object(result) as { faucetOutcome?: string };
    if (faucetOutcome === undefined || !call.hasSuccess || call.sentToProxy > 0) return;
    const expected = call.lastStatus === 207 ? 'failed' : 'succeeded';
    return faucetOutcome === expected ? undefined : `the faucet ${faucetOutcome}: ${named(call)}`;
  },
};
