import type { World } from './world.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * For so long people use the applications, from the start of each day of a world. In the rest of it
 * only timers run: tokens expire, webhooks are delivered again, what was under way ends.
 */
const BUSY_MS = 4 * HOUR_MS;

/** How long it takes until people have used the applications for some time. */
export function untilUsedFor({ scheduler }: World, ms: number): number {
  const passed = scheduler.now - scheduler.startedAt;
  const used = Math.floor(passed / DAY_MS) * BUSY_MS + Math.min(passed % DAY_MS, BUSY_MS) + ms;
  return Math.floor(used / BUSY_MS) * DAY_MS + (used % BUSY_MS) - passed;
}
