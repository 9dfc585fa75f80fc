import type { Outcome } from '../errors/index.js';
import { ChainError } from './chain-error.js';

/** `runtime.now` returned something that is not a time: deadlines and expiries would not hold. */
export function clockUnusable(outcome: Outcome): ChainError {
  const effect =
    outcome === 'not_sent'
      ? 'No approval was sent.'
      : 'An approval may be on the chain. Resume with a clock that works.';
  const message = `runtime.now did not return milliseconds since 1970. ${effect}`;
  return new ChainError({ code: 'clock_unusable', outcome, message });
}
