import { chains } from './chains.mjs';
import { inMemory } from './in-memory.mjs';
import { overLoopback } from './loopback.mjs';
import { webhooks } from './webhooks.mjs';

const GROUPS = {
  'in-memory platform': inMemory,
  'over loopback': overLoopback,
  'wallets and chains': chains,
  webhooks,
};

/**
 * Runs every check, one after the other, and returns the results. It never throws. `options` contain
 * the sandbox, and whether this is a browser.
 */
export async function runSuite(options) {
  const results = [];
  for (const [group, checks] of Object.entries(GROUPS)) {
    for (const [name, check] of Object.entries(checks)) {
      const result = { name: `${group}: ${name}` };
      try {
        await check(options);
      } catch (error) {
        result.failure = `${error?.name}: ${error?.message}`;
      }
      results.push(result);
    }
  }
  return results;
}
