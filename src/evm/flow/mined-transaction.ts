import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { ifReadable } from '../../delegation/if-readable.js';
import type { EvmCall } from '../approval/calls.js';
import { decodeApprove, startsWithCall } from '../approval/on-chain.js';
import type { Transaction } from '../chain/responses.js';
import type { EvmRun } from './evm-run.js';
import type { EvmPlan } from './plan.js';

/**
 * Finds the owner's mined transaction with a nonce, after a block. `undefined` when there is
 * none, and when the node keeps no old state: most nodes keep that of 128 blocks.
 */
export function findByNonce(
  run: EvmRun,
  nonce: bigint,
  after: bigint,
): Promise<Transaction | undefined> {
  return ifReadable(searchNonce(run, nonce, after));
}

async function searchNonce(
  { plan: { owner }, reader }: EvmRun,
  nonce: bigint,
  after: bigint,
): Promise<Transaction | undefined> {
  if ((await reader.transactionCount(owner, 'latest')) <= nonce) return undefined;
  let before = after;
  let holds = await reader.blockNumber();
  while (holds - before > 1n) {
    const middle = (before + holds) / 2n;
    if ((await reader.transactionCount(owner, middle)) > nonce) holds = middle;
    else before = middle;
  }
  const { transactions } = await reader.block(holds);
  return transactions.find((one) => equalsIgnoringCase(one.from, owner) && one.nonce === nonce);
}

/** Whether a transaction is a given call. */
export function isSameCall({ to, input, value }: Transaction, call: EvmCall): boolean {
  return (
    equalsIgnoringCase(to, call.to) && startsWithCall(input, call.data) && value === call.value
  );
}

/** The user can change the limit in the wallet: then it still is the approval that was asked for. */
export function isEdited(
  { spender, token }: EvmPlan,
  { to, input, nonce }: Transaction,
  expectedNonce: bigint | undefined,
): boolean {
  return (
    nonce === expectedNonce &&
    equalsIgnoringCase(to, token) &&
    decodeApprove(input)?.spender === spender
  );
}
