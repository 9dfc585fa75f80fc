import {
  COMMON_OPTIONS,
  checkOptions,
  type OptionNames,
  refuseUnknownOptions,
} from '../../delegation/check-options.js';
import { checkSubmission } from '../../delegation/check-submission.js';
import type { DelegationDriver } from '../../delegation/driver.js';
import { invalid } from '../../delegation/invalid.js';
import type { StateKeeper } from '../../delegation/keeper.js';
import type { DelegationResult, RevocationResult } from '../../delegation/options.js';
import { runDelegation, runRevocation } from '../../delegation/run-delegation.js';
import { describeWrongNode } from '../wallets/wrong-wallet.js';
import { evmDriver } from './driver.js';
import type { EvmDelegationOptions } from './options.js';
import { planDelegation } from './plan.js';
import type { EvmRevocationOptions } from './revocation-options.js';
import { EVM_SAVED_STATE } from './saved-state.js';

/** Texts with the form of a transaction hash and of a signature, which no transaction has. */
const SAMPLE = { txHash: `0x${'0'.repeat(64)}`, sigHash: `0x${'0'.repeat(130)}` };

const OPTION_NAMES: OptionNames<EvmDelegationOptions> = {
  ...COMMON_OPTIONS,
  network: true,
  currency: true,
  amount: true,
  cap: true,
  unlimited: true,
  wallet: true,
  address: true,
  node: true,
  networks: true,
  spender: true,
  confirmSpender: true,
  dryRun: true,
  allowSpenderWithoutCode: true,
  switchNetwork: true,
  domain: true,
  uri: true,
  messageRules: true,
  statement: true,
  messageLifetime: true,
  allowAnyNonce: true,
  wireAmount: true,
  confirmations: true,
  confirmationTimeout: true,
  pollingInterval: true,
};

/** Checks the options that need neither wallet nor service. */
export function checkEvmOptions(options: EvmDelegationOptions): EvmDelegationOptions {
  const problem = describeWrongNode(Object(options).node);
  if (problem !== undefined) invalid('node', problem);
  const checked = checkOptions(options, ['wallet', 'node'], EVM_SAVED_STATE);
  refuseUnknownOptions(checked, OPTION_NAMES);
  return checked;
}

async function prepare(
  options: EvmDelegationOptions,
  { isRevocation, isChainOnly }: { isRevocation: boolean; isChainOnly: boolean },
): Promise<[DelegationDriver, EvmDelegationOptions]> {
  const checked = checkEvmOptions(options);
  const driver = evmDriver(await planDelegation(checked, isRevocation), isChainOnly);
  await checkSubmission('evm', driver, checked, SAMPLE);
  return [driver, checked];
}

/**
 * Runs the flow of `delegateEvm`.
 *
 * @param keeper keeps the state. Default: the caller does.
 */
export async function runEvmDelegation(
  options: EvmDelegationOptions,
  keeper?: StateKeeper,
): Promise<DelegationResult> {
  const purpose = { isRevocation: false, isChainOnly: false };
  return runDelegation(...(await prepare(options, purpose)), keeper);
}

/** Runs the flow of `revokeEvmDelegation`. */
export async function runEvmRevocation(options: EvmRevocationOptions): Promise<RevocationResult> {
  const { submit = true, ...rest }: EvmRevocationOptions = Object(options);
  if (typeof submit !== 'boolean') invalid('submit', 'must be a boolean');
  const purpose = { isRevocation: true, isChainOnly: !submit };
  return runRevocation(...(await prepare({ ...rest, amount: '0' }, purpose)));
}
