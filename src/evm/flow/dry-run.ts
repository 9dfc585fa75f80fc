import { ChainError } from '../../delegation/chain-error.js';
import { ifReadable } from '../../delegation/reading-context.js';
import { approveCall, type EvmCall } from '../approval/calls.js';
import type { ChainReader } from '../chain/reader.js';
import { inBrackets } from '../chain/revert.js';
import type { EvmPlan } from './plan.js';

/** What a test run of the approval shows. */
export type DryRun = {
  /**
   * `resets-first`: it passes only once the old limit is zero. `refused`: the token refuses it.
   * `unknown`: the node cannot run it, which proves nothing.
   */
  readonly result: 'passes' | 'resets-first' | 'refused' | 'unknown';
  /** With `refused`: why, if the token gives a reason. */
  readonly reason?: string | undefined;
};

/** The parts of a plan that a test run needs. */
type DryRunPlan = Pick<
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
  oldLimit: () => Promise<bigint> = () => reader.allowance(plan),
): Promise<DryRun> {
  const first = await reader.tryApprove(plan.owner, approveCall(plan));
  if (first === undefined) return { result: 'unknown' };
  if (first.passed) return { result: 'passes' };
  const refused: DryRun = { result: 'refused', reason: first.reason };
  if (plan.allowance === 0n) return refused;
  const limit = await ifReadable(oldLimit());
  if (limit === undefined) return plan.approvesOnlyFromZero ? { result: 'unknown' } : refused;
  if (limit === 0n) return refused;
  const reset = await reader.tryApprove(plan.owner, approveCall(plan, 0n));
  if (reset === undefined) return { result: 'unknown' };
  return reset.passed ? { result: 'resets-first' } : { result: 'refused', reason: reset.reason };
}

/** The token refuses the approval: the wallet is not asked. */
export function approvalRefused(reason: string | undefined): ChainError {
  return new ChainError({
    code: 'approval_would_revert',
    outcome: 'not_sent',
    message: `the approval would fail: the token refuses it in a test run on the node${inBrackets(reason)}. Nothing was sent and the wallet was not asked to send. The token may be paused or block this account. Set dryRun to false to ask the wallet anyway.`,
  });
}

/** More gas than an approval, and a reset of the old limit before it, use. */
const PLENTY_OF_GAS = 1_000_000n;

/** Whether coins are so many, at a price of gas, that no estimate is needed. */
export function isPlenty(balance: bigint, price: bigint): boolean {
  return balance >= price * PLENTY_OF_GAS;
}

/** How much more gas it takes to set a limit that was zero than to set one to zero. */
const FIRST_WRITE = 20_000n;

/**
 * Estimates the cost of an account's transactions in wei: gas times the current price. The second of
 * two cannot be estimated before the first is mined. It is counted as the first, plus the gas to write
 * a storage slot that was zero.
 *
 * @param knownPrice the price of gas, if it was just read
 * @throws ChainReadError when the node estimates nothing
 */
export async function estimateFee(
  reader: ChainReader,
  owner: string,
  calls: readonly EvmCall[],
  knownPrice?: bigint,
): Promise<bigint> {
  const [first] = calls;
  if (first === undefined) return 0n;
  const [price, gas] = await Promise.all([
    knownPrice ?? reader.gasPrice(),
    reader.estimateGas(owner, first),
  ]);
  const further = BigInt(calls.length - 1) * (gas + FIRST_WRITE);
  return price * (gas + further);
}
