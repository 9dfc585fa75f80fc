import { chains } from './chains.mjs';
import { inMemory } from './in-memory.mjs';
import { overLoopback } from './loopback.mjs';
import { webhooks } from './webhooks.mjs';

const ROOMS = {
  'in memory': inMemory,
  'over loopback': overLoopback,
  'wallets and chains': chains,
  webhooks,
};

/**
 * Runs every check, one after the other, and never fails itself. `surroundings` say where the
 * sandbox is, and whether this is a browser.
 */
export async function runSuite(surroundings) {
  const results = [];
  for (const [room, checks] of Object.entries(ROOMS)) {
    for (const [name, check] of Object.entries(checks)) {
      const result = { name: `${room}: ${name}` };
      try {
        await check(surroundings);
      } catch (error) {
        result.failure = `${error?.name}: ${error?.message}`;
      }
      results.push(result);
    }
  }
  return results;
}
