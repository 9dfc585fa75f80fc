import { requireParts } from '../../delegation/require-parts.js';
import { runDelegation } from '../../delegation/run-delegation.js';
import type { DelegationResult } from '../../delegation/surface.js';
import { solanaDriver } from './driver.js';
import type { SolanaDelegationOptions } from './options.js';
import { planOf } from './plan.js';

/** The flow itself, apart from `delegateSolana` so that a bundler can load it later. */
export async function runSolanaDelegation(
  options: SolanaDelegationOptions,
): Promise<DelegationResult> {
  requireParts(options, ['wallet', 'connection']);
  return runDelegation(solanaDriver(planOf(options)), options);
}
