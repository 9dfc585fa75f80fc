import { setTimeout } from 'node:timers/promises';

const LIMIT_MS = 30_000;

/** Waits until a condition is true. Fails with its name after 30 seconds. */
export async function waitUntil(what: string, condition: () => boolean): Promise<void> {
  const endsAt = performance.now() + LIMIT_MS;
  while (!condition()) {
    if (performance.now() > endsAt) throw new Error(`this did not happen: ${what}`);
    await setTimeout(25);
  }
}
