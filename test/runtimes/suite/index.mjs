import { chains } from './chains.mjs';
import { inMemory } from './in-memory.mjs';
import { overLoopback } from './loopback.mjs';
import { runChecks } from './run-checks.mjs';
import { webhooks } from './webhooks.mjs';

const GROUPS = {
  'in-memory platform': inMemory,
  'over loopback': overLoopback,
  'wallets and chains': chains,
  webhooks,
};

/**
 * Runs every check, one after the other, and returns the results. It never throws. `options`
 * contain the sandbox and the features of the runtime: see `SuiteOptions`.
 */
export async function runSuite(options) {
  const results = [];
  for (const [group, checks] of Object.entries(GROUPS)) {
    if (group === 'webhooks' && !options.hasWebCrypto) continue;
    results.push(...(await runChecks(group, checks, options)));
  }
  return results;
}
