import type { Outcome } from '../errors/index.js';
import { ChainError } from './chain-error.js';

/** `runtime.now` did not return a time, so deadlines and expiries would not work. */
export function clockUnusable(outcome: Outcome): ChainError {
  const effect =
    outcome === 'not_sent' ? 'No approval was sent.' : 'An approval may be on the chain.';
  return new ChainError({
    code: 'clock_unusable',
    outcome,
    message: `runtime.now did not return milliseconds since 1970. ${effect} Fix the clock, then resume.`,
  });
}
