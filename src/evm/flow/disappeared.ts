import { approveCall } from '../approval/calls.js';
import { checkNodeChain } from './check-chain.js';
import type { EvmRun } from './evm-run.js';
import { isEdited, isSameCall } from './mined-transaction.js';
import { searchApprovals } from './search-approvals.js';

/** How often the node must agree, one polling interval apart: one of several can be behind. */
const AGREEING_READS = 3;

/**
 * Whether a transaction that the wallet sent has disappeared: dropped from the mempool, or removed
 * from the chain by a reorganization. The node is asked only after an earlier run waited for it in
 * vain, or if the caller set `approveAgain`: many nodes do not know a transaction that was just sent.
 */
export async function hasDisappeared(run: EvmRun, hash: string): Promise<boolean> {
  const { plan, context } = run;
  if (context.notes()['missing'] !== hash && plan.options.approveAgain !== true) return false;
  await checkNodeChain(run);
  for (let read = 1; ; read++) {
    if (!(await isMissing(run, hash))) return false;
    if (read === AGREEING_READS) return true;
    await context.sleep(plan.pollingInterval);
  }
}

/**
 * Whether the node does not know a transaction, its nonce is free, no other transaction of the
 * account is waiting, and no approval that could have replaced it is on the chain.
 */
export async function isMissing(run: EvmRun, hash: string): Promise<boolean> {
  const { plan, reader, context } = run;
  if ((await reader.receipt(hash)) !== null || (await reader.transaction(hash)) !== null) {
    return false;
  }
  const { nonce, nextNonce, sentAfter } = context.notes();
  const mined = await reader.transactionCount(plan.owner, 'latest');
  if ((await reader.transactionCount(plan.owner, 'pending')) > mined) return false;
  if (nonce !== undefined && mined > BigInt(nonce)) return false;
  if (sentAfter === undefined) return true;
  const call = approveCall(plan);
  const expected = nextNonce === undefined ? undefined : BigInt(nextNonce);
  const found = await searchApprovals(run, BigInt(sentAfter), (one) => {
    return isSameCall(one, call) || isEdited(plan, one, expected);
  });
  // The user set another limit before any node had seen the first transaction. `confirm` follows it.
  if (found !== undefined && !isSameCall(found, call)) {
    context.saveNotes({ nonce: `${found.nonce}` });
  }
  return found === undefined;
}
