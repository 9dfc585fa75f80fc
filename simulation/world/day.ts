import type { World } from './world.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * For how long people use the applications at the start of each day of a world. In the rest of the
 * day only timers run: tokens expire, webhooks are delivered again, and calls in flight end.
 */
const BUSY_MS = 4 * HOUR_MS;

/** Returns how long it takes until people have used the applications for a given time. */
export function untilUsedFor({ scheduler }: World, ms: number): number {
  const passed = scheduler.now - scheduler.startedAt;
  const used = Math.floor(passed / DAY_MS) * BUSY_MS + Math.min(passed % DAY_MS, BUSY_MS) + ms;
  return Math.floor(used / BUSY_MS) * DAY_MS + (used % BUSY_MS) - passed;
}
