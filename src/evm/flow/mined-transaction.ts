import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { ifReadable } from '../../delegation/if-readable.js';
import type { EvmCall } from '../approval/calls.js';
import { startsWithCall } from '../approval/on-chain.js';
import type { Transaction } from '../chain/responses.js';
import type { EvmRun } from './evm-run.js';

/**
 * Finds the mined transaction with a nonce of the owner, after a block. `undefined` when there is
 * none, and when the node keeps no old state: most nodes keep that of 128 blocks.
 */
export function findByNonce(
  run: EvmRun,
  place: bigint,
  after: bigint,
): Promise<Transaction | undefined> {
  return ifReadable(searchNonce(run, place, after));
}

async function searchNonce(
  { plan: { owner }, reader }: EvmRun,
  place: bigint,
  after: bigint,
): Promise<Transaction | undefined> {
  if ((await reader.transactionCount(owner, 'latest')) <= place) return undefined;
  let before = after;
  let holds = await reader.blockNumber();
  while (holds - before > 1n) {
    const middle = (before + holds) / 2n;
    if ((await reader.transactionCount(owner, middle)) > place) holds = middle;
    else before = middle;
  }
  const { transactions } = await reader.block(holds);
  return transactions.find(({ from, nonce }) => equalsIgnoringCase(from, owner) && nonce === place);
}

/** Whether a transaction is a given call. */
export function isSameCall({ to, input, value }: Transaction, call: EvmCall): boolean {
  return (
    equalsIgnoringCase(to, call.to) && startsWithCall(input, call.data) && value === call.value
  );
}
