import { invalid } from '../../delegation/invalid.js';
import type { StateKeeper } from '../../delegation/keeper.js';
import type { DelegationResult, RevocationResult } from '../../delegation/options.js';
import { runDelegation, runRevocation } from '../../delegation/run-delegation.js';
import type { SolanaDelegationOptions, SolanaRevocationOptions } from './options.js';
import { prepareDelegation } from './prepare-delegation.js';

/**
 * The flow of `delegateSolana`.
 *
 * @param keeper keeps the state. Default: the caller does.
 */
export async function runSolanaDelegation(
  options: SolanaDelegationOptions,
  keeper?: StateKeeper,
): Promise<DelegationResult> {
  const { checked, driver } = await prepareDelegation(options);
  return runDelegation(driver, checked, keeper);
}

/** The flow of `revokeSolanaDelegation`. */
export async function runSolanaRevocation(
  options: SolanaRevocationOptions,
): Promise<RevocationResult> {
  const {
    revokeWith = 'revoke',
    submit = true,
    ...rest
  }: SolanaRevocationOptions = Object(options);
  if (revokeWith !== 'revoke' && revokeWith !== 'approve-zero') {
    invalid('revokeWith', "must be 'revoke' or 'approve-zero'");
  }
  if (typeof submit !== 'boolean') invalid('submit', 'must be true or false');
  const zero = { ...rest, amount: '0' };
  const { checked, driver } = await prepareDelegation(zero, revokeWith, !submit);
  return runRevocation(driver, checked);
}
