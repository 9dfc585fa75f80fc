import { throwIfAborted } from '../../contract/formats/abort-reason.js';
import { checkOptions } from '../../delegation/check-options.js';
import { checkSubmission } from '../../delegation/check-submission.js';
import type { DelegationResult } from '../../delegation/options.js';
import { runDelegation } from '../../delegation/run-delegation.js';
import { SOLANA_NETWORK, solanaDriver } from './driver.js';
import type { SolanaDelegationOptions } from './options.js';
import { planDelegation, type SolanaPlan } from './plan.js';
import { SOLANA_SAVED_STATE } from './saved-state.js';

/** The flow itself, apart from `delegateSolana` so that a bundler can load it later. */
export async function runSolanaDelegation(
  options: SolanaDelegationOptions,
): Promise<DelegationResult> {
  throwIfAborted(options?.signal);
  const checked = checkOptions(options, ['wallet', 'connection'], SOLANA_SAVED_STATE);
  const plan = planDelegation(checked);
  await checkLastStep(plan);
  return runDelegation(solanaDriver(plan), checked);
}

/** A text with the form of a transaction signature, which no transaction has. */
const NO_SIGNATURE = '2'.repeat(88);

/** Checks what the client checks in the last step, before the user signs and pays. */
async function checkLastStep({ options, wallet, wireAmount }: SolanaPlan): Promise<void> {
  const { client, currency, region } = options;
  await checkSubmission(client.delegation, 'solana', {
    address: wallet.address,
    network: SOLANA_NETWORK,
    currency,
    amount: wireAmount,
    txHash: NO_SIGNATURE,
    sigHash: NO_SIGNATURE,
    ...(region === undefined ? {} : { region }),
  });
}
