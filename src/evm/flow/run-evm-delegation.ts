import { checkOptions } from '../../delegation/check-options.js';
import { invalid } from '../../delegation/invalid.js';
import type { DelegationResult, RevocationResult } from '../../delegation/options.js';
import { runDelegation, runRevocation } from '../../delegation/run-delegation.js';
import { evmDriver } from './driver.js';
import type { EvmDelegationOptions } from './options.js';
import { planDelegation } from './plan.js';
import type { EvmRevocationOptions } from './revocation-options.js';
import { EVM_SAVED_STATE } from './saved-state.js';

export { parseEvmChainConfig } from '../chain-config.js';
export { runPreview } from '../preview/run-preview.js';
export { runReadSpendingPower } from '../spending-power/run-read.js';
export { runSwitchNetwork } from './switch-network.js';

const PARTS = ['wallet', 'publicClient'];

// Apart from the functions of the entry, so that a bundler can load it later.
/** Runs the flow of `delegateEvm`. */
export async function runEvmDelegation(options: EvmDelegationOptions): Promise<DelegationResult> {
  const checked = checkOptions(options, PARTS, EVM_SAVED_STATE);
  const plan = await planDelegation(checked);
  return runDelegation(evmDriver(plan), checked);
}

/** Runs the flow of `revokeEvmDelegation`. */
export async function runEvmRevocation(options: EvmRevocationOptions): Promise<RevocationResult> {
  const checked = checkOptions({ ...options, amount: '0' }, PARTS, EVM_SAVED_STATE);
  const { submit } = options;
  if (submit !== undefined && typeof submit !== 'boolean') invalid('submit', 'must be a boolean');
  const isChainOnly = submit === false;
  const plan = await planDelegation(checked, { isRevocation: true, isChainOnly });
  return runRevocation(evmDriver(plan, isChainOnly), checked);
}
