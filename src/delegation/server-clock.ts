import type { DelegationTokenAnswer, TokenCall } from './client.js';

/** Clocks that differ by less are taken for the same: an answer's `Date` is that old at most. */
const SAME_CLOCK_MS = 30_000;

/**
 * A token, and how far the service's clock is ahead of ours, in milliseconds. `Date` has whole
 * seconds and browsers show it across origins only where the service allows it; without it the
 * clocks count as the same.
 */
export async function withClockOffset(
  call: TokenCall,
  now: () => number,
): Promise<{ answer: DelegationTokenAnswer; clockOffset: number }> {
  if (call.withResponse === undefined) return { answer: await call, clockOffset: 0 };
  const { data, headers } = await call.withResponse();
  const offset = Date.parse(headers.get('date') ?? '') - now();
  return { answer: data, clockOffset: Math.abs(offset) > SAME_CLOCK_MS ? offset : 0 };
}
