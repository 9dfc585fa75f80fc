import {
  COMMON_OPTIONS,
  checkOptions,
  type OptionNames,
  refuseUnknownOptions,
} from '../../delegation/check-options.js';
import { checkSubmission } from '../../delegation/check-submission.js';
import type { DelegationDriver } from '../../delegation/driver.js';
import { invalid } from '../../delegation/invalid.js';
import { describeWrongConnection } from '../wallets/wrong-wallet.js';
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

const OPTION_NAMES: OptionNames<SolanaDelegationOptions> = {
  ...COMMON_OPTIONS,
  wallet: true,
  account: true,
  chain: true,
  node: true,
  currency: true,
  token: true,
  amount: true,
  cap: true,
  wireAmount: true,
  spender: true,
  confirmSpender: true,
  environment: true,
  replaceSpender: true,
  tokenAccount: true,
  domain: true,
  uri: true,
  messageRules: true,
  statement: true,
  commitment: true,
  computeUnitLimit: true,
  computeUnitPrice: true,
  confirmationTimeout: true,
};

/** Checks the options that need neither wallet nor service. */
export function checkSolanaOptions(options: SolanaDelegationOptions): SolanaDelegationOptions {
  const problem = describeWrongConnection(Object(options).node);
  if (problem !== undefined) invalid('node', problem);
  const checked = checkOptions(options, ['wallet', 'node'], SOLANA_SAVED_STATE);
  refuseUnknownOptions(checked, OPTION_NAMES);
  return checked;
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
