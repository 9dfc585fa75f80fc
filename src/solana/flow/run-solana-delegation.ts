import { checkOptions } from '../../delegation/check-options.js';
import type { DelegationResult } from '../../delegation/options.js';
import { runDelegation } from '../../delegation/run-delegation.js';
import { solanaDriver } from './driver.js';
import type { SolanaDelegationOptions } from './options.js';
import { planDelegation } from './plan.js';
import { SOLANA_SAVED_STATE } from './saved-state.js';

/** The flow itself, apart from `delegateSolana` so that a bundler can load it later. */
export async function runSolanaDelegation(
  options: SolanaDelegationOptions,
): Promise<DelegationResult> {
  const checked = checkOptions(options, ['wallet', 'connection'], SOLANA_SAVED_STATE);
  return runDelegation(solanaDriver(planDelegation(checked)), checked);
}
