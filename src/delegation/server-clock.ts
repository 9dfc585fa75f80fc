import type { DelegationTokenResult, TokenCall } from './client.js';
import { isTime } from './numbers.js';

/** Clocks that differ by less are taken for the same: an answer's `Date` is that old at most. */
const SAME_CLOCK_MS = 30_000;

/** Whether a value is an offset that {@link readClockOffset} can return. */
export function isClockOffset(value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return value === 0 || Math.abs(value) > SAME_CLOCK_MS;
}

/**
 * A token, and how far the service's clock is ahead of ours, in milliseconds. `Date` has whole
 * seconds and browsers show it across origins only where the service allows it; without it the
 * clocks count as the same.
 */
export async function readClockOffset(
  call: TokenCall,
  now: () => number,
): Promise<{ answer: DelegationTokenResult; clockOffset: number }> {
  if (call.withResponse === undefined) return { answer: await call, clockOffset: 0 };
  const { data, headers } = await call.withResponse();
  const serverTime = Date.parse(headers.get('date') ?? '');
  const offset = isTime(serverTime) ? serverTime - now() : 0;
  return { answer: data, clockOffset: isClockOffset(offset) ? offset : 0 };
}
