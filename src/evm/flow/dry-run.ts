import { ChainError } from '../../delegation/chain-error.js';
import { ChainReadError } from '../../delegation/wallet-errors.js';
import { approveCall } from '../approval/calls.js';
import type { ChainReader } from '../chain/reader.js';
import type { EvmPlan } from './plan.js';

/**
 * What a test run of the approval shows. `resets-first`: it passes only once the old limit is zero.
 * `refused`: the token refuses it. `unknown`: the node cannot run it, which proves nothing.
 */
export type DryRun = 'passes' | 'resets-first' | 'refused' | 'unknown';

/** The parts of a plan that a test run needs. */
export type DryRunPlan = Pick<
  EvmPlan,
  'owner' | 'chainId' | 'token' | 'spender' | 'allowance' | 'approvesOnlyFromZero'
>;

/**
 * Runs the approval on the node without sending it. A token that blocks the account, or is paused,
 * refuses it; one like USDT refuses it while another limit is set.
 *
 * @param oldLimit reads the limit on the chain, only where it matters
 */
export async function dryRun(
  plan: DryRunPlan,
  reader: ChainReader,
  oldLimit: () => Promise<bigint> = () =>
    reader.allowance(plan.token, plan.owner, plan.spender, 'latest'),
): Promise<DryRun> {
  const first = await reader.tryCall(plan.owner, approveCall(plan));
  if (first === undefined) return 'unknown';
  if (first === 'passed') return 'passes';
  if (plan.allowance === 0n) return 'refused';
  const limit = await oldLimit().catch((error: unknown) => {
    if (error instanceof ChainReadError) return undefined;
    throw error;
  });
  if (limit === undefined) return plan.approvesOnlyFromZero ? 'unknown' : 'refused';
  if (limit === 0n) return 'refused';
  const reset = await reader.tryCall(plan.owner, approveCall(plan, 0n));
  return reset === 'passed' ? 'resets-first' : reset === undefined ? 'unknown' : 'refused';
}

/** The token refuses the approval: the wallet is not asked. */
export function approvalRefused(): ChainError {
  return new ChainError({
    code: 'approval_would_revert',
    outcome: 'not_sent',
    message:
      'the approval would fail: the token refuses it in a test run on the node. Nothing was sent and the wallet was not asked to send. The token may be paused or block this account. Set dryRun to false to ask the wallet anyway.',
  });
}
