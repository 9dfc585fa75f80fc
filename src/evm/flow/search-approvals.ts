import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { ifReadable } from '../../delegation/if-readable.js';
import type { Log, Transaction } from '../chain/responses.js';
import type { EvmRun } from './evm-run.js';

/** Nodes search 500 to 10,000 blocks at once. */
const MAX_PIECE = 10_000n;
const MIN_PIECE = 500n;
/** Two weeks of blocks of two seconds, in the largest pieces. */
const MAX_SEARCHES = 64;

/**
 * Searches the approvals of the spender since a block, newest first, in pieces that the node accepts.
 * Returns the first transaction of the owner for which `isRight` is true. A node that refuses to
 * search is not an error: then nothing is found.
 */
export async function searchApprovals(
  run: EvmRun,
  after: bigint,
  isRight: (transaction: Transaction) => boolean,
): Promise<Transaction | undefined> {
  const { plan, reader } = run;
  let last = await reader.blockNumber();
  let piece = MAX_PIECE;
  for (let searches = 1; last > after && searches <= MAX_SEARCHES; searches++) {
    const first = last - piece > after ? last - piece + 1n : after + 1n;
    const logs = await ifReadable(reader.approvals(plan, first, last));
    if (logs === undefined) {
      if (piece <= MIN_PIECE) return undefined;
      piece = piece / 2n > MIN_PIECE ? piece / 2n : MIN_PIECE;
      continue;
    }
    const found = await findTransaction(run, logs, isRight);
    if (found !== undefined) return found;
    last = first - 1n;
  }
  return undefined;
}

async function findTransaction(
  { plan: { owner }, reader }: EvmRun,
  logs: readonly Log[],
  isRight: (transaction: Transaction) => boolean,
): Promise<Transaction | undefined> {
  for (const { transactionHash } of [...logs].reverse()) {
    const transaction = await reader.transaction(transactionHash);
    if (transaction === null || !equalsIgnoringCase(transaction.from, owner)) continue;
    if (isRight(transaction)) return transaction;
  }
  return undefined;
}
