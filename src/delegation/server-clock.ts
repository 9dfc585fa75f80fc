import type { DelegationTokenResult, TokenCall } from './client.js';
import { isTime } from './numbers.js';

/** A smaller difference may come from the age of the response's `Date`, so it is ignored. */
const SAME_CLOCK_MS = 30_000;

/** Whether a value is an offset that {@link readClockOffset} can return. */
export function isClockOffset(value: unknown): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return value === 0 || Math.abs(value) > SAME_CLOCK_MS;
}

/**
 * Returns a token, and how far the service's clock is ahead of ours in milliseconds. The `Date`
 * header has whole seconds, and browsers hide it across origins unless the service allows it.
 * Without it the offset is 0.
 */
export async function readClockOffset(
  call: TokenCall,
  now: () => number,
): Promise<{ response: DelegationTokenResult; clockOffset: number }> {
  if (call.withResponse === undefined) return { response: await call, clockOffset: 0 };
  const { data, headers } = await call.withResponse();
  const serverTime = Date.parse(headers.get('date') ?? '');
  const offset = isTime(serverTime) ? serverTime - now() : 0;
  return { response: data, clockOffset: isClockOffset(offset) ? offset : 0 };
}
