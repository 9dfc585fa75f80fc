import { checkOptions } from '../../delegation/check-options.js';
import { checkSubmission } from '../../delegation/check-submission.js';
import type { DelegationDriver } from '../../delegation/driver.js';
import { solanaDriver } from './driver.js';
import type { SolanaDelegationOptions } from './options.js';
import { planDelegation, type SolanaPlan } from './plan.js';
import type { RevokingInstruction } from './revoking-instruction.js';
import { SOLANA_SAVED_STATE } from './saved-state.js';

/** A text with the form of a transaction signature, which no transaction has. */
const NO_SIGNATURE = '2'.repeat(88);
const SAMPLE = { txHash: NO_SIGNATURE, sigHash: NO_SIGNATURE };

/** A delegation whose options were checked. */
export type PreparedDelegation = {
  readonly checked: SolanaDelegationOptions;
  readonly plan: SolanaPlan;
  readonly driver: DelegationDriver;
};

/** Checks the options that need neither wallet nor service. */
export function checkSolanaOptions(options: SolanaDelegationOptions): SolanaDelegationOptions {
  return checkOptions(options, ['wallet', 'connection'], SOLANA_SAVED_STATE);
}

/** Checks the options, and everything that the last step will check. */
export async function prepareDelegation(
  options: SolanaDelegationOptions,
  revokeWith?: RevokingInstruction,
  isChainOnly = false,
): Promise<PreparedDelegation> {
  const checked = checkSolanaOptions(options);
  const plan = await planDelegation(checked, revokeWith);
  const driver = solanaDriver(plan, isChainOnly);
  await checkSubmission('solana', driver, checked, SAMPLE);
  return { checked, plan, driver };
}
