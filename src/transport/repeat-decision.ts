import type { RepeatPolicy } from '../contract/repeat.js';
import type { Ending } from './ending.js';

/** What has happened in a call so far. */
export type Tally = {
  /** Requests handed to the network. */
  attempts: number;
  /** Requests that may have reached the service. */
  delivered: number;
  /** Repeats because nothing arrived. */
  connectFailures: number;
  /** Milliseconds since the first attempt began. */
  elapsed: number;
};

function wanted(ending: Ending, policy: RepeatPolicy): boolean {
  if (ending.column === 'no-answer' || ending.status === 408) return policy.afterNoAnswer;
  if (ending.status === 429) return policy.afterRateLimit;
  return ending.status !== undefined && policy.afterStatus.includes(ending.status);
}

/** Whether the repeat matrix allows another request after this ending. */
export function mayRepeat(ending: Ending, policy: RepeatPolicy, tally: Tally): boolean {
  if (ending.column === 'final') return false;
  if (policy.within !== undefined && tally.delivered > 0 && tally.elapsed > policy.within) {
    return false;
  }
  if (ending.column === 'connect') {
    return (
      tally.connectFailures <= policy.afterConnectFailure && tally.delivered < policy.maxDelivered
    );
  }
  return tally.delivered < policy.maxDelivered && wanted(ending, policy);
}
