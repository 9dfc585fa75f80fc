import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { checkOptions } from '../../delegation/check-options.js';
import type { DelegationResult } from '../../delegation/options.js';
import { runDelegation } from '../../delegation/run-delegation.js';
import { evmDriver } from './driver.js';
import type { EvmDelegationOptions } from './options.js';
import { planDelegation } from './plan.js';
import { EVM_SAVED_STATE } from './saved-state.js';

/** The flow itself, apart from `delegateEvm` so that a bundler can load it later. */
export async function runEvmDelegation(options: EvmDelegationOptions): Promise<DelegationResult> {
  throwIfAborted(options?.signal);
  const checked = checkOptions(options, ['wallet', 'publicClient'], EVM_SAVED_STATE);
  const plan = await planDelegation(checked);
  return runDelegation(evmDriver(plan), checked);
}
