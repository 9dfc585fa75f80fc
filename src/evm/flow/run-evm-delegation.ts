import { requireParts } from '../../delegation/require-parts.js';
import { runDelegation } from '../../delegation/run-delegation.js';
import type { DelegationResult } from '../../delegation/surface.js';
import { evmDriver } from './driver.js';
import type { EvmDelegationOptions } from './options.js';
import { planDelegation } from './plan.js';

/** The flow itself, apart from `delegateEvm` so that a bundler can load it later. */
export async function runEvmDelegation(options: EvmDelegationOptions): Promise<DelegationResult> {
  requireParts(options, ['wallet', 'publicClient']);
  const plan = await planDelegation(options);
  return runDelegation(evmDriver(plan), options);
}
