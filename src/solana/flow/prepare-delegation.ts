import { checkOptions } from '../../delegation/check-options.js';
import { checkSubmission } from '../../delegation/check-submission.js';
import { SOLANA_NETWORK } from './network.js';
import type { SolanaDelegationOptions } from './options.js';
import { type PlanPurpose, planDelegation, type SolanaPlan } from './plan.js';
import { SOLANA_SAVED_STATE } from './saved-state.js';

/** Checks the options, and everything that the last step will check. */
export async function prepareDelegation(
  options: SolanaDelegationOptions,
  purpose?: PlanPurpose,
): Promise<{ checked: SolanaDelegationOptions; plan: SolanaPlan }> {
  const checked = checkOptions(options, ['wallet', 'connection'], SOLANA_SAVED_STATE);
  const plan = await planDelegation(checked, purpose);
  await checkLastStep(plan);
  return { checked, plan };
}

/** A text with the form of a transaction signature, which no transaction has. */
const NO_SIGNATURE = '2'.repeat(88);

/** Checks what the client checks in the last step, before the user signs and pays. */
async function checkLastStep({ options, wallet, wireAmount, revokeWith }: SolanaPlan) {
  const { client, currency, region } = options;
  await checkSubmission(client.delegation, 'solana', {
    address: wallet.address,
    network: SOLANA_NETWORK,
    currency,
    amount: wireAmount,
    txHash: NO_SIGNATURE,
    sigHash: NO_SIGNATURE,
    ...(revokeWith === undefined ? {} : { isRevocation: true }),
    ...(region === undefined ? {} : { region }),
  });
}
