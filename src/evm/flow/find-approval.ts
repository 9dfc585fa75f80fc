import type { DriverContext, FoundApproval } from '../../delegation/surface.js';
import { approveCall } from '../approval/calls.js';
import { sameHex } from '../chain/hex.js';
import type { ChainReader } from '../chain/reader.js';
import { checkNodeChain } from './check-chain.js';
import type { EvmPlan } from './plan.js';
import { isApproval } from './verify.js';

/**
 * Looks for an approval whose hash was lost, in the blocks since the wallet was asked. That it is
 * not there proves nothing: the wallet may still hold it, or its prompt may still be open.
 */
export async function findApproval(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
): Promise<FoundApproval> {
  const { sentAfter } = context.notes();
  if (sentAfter === undefined) return 'unknown';
  await checkNodeChain(plan, reader);
  const first = BigInt(sentAfter) + 1n;
  // Nodes refuse to search blocks that do not exist yet.
  if ((await reader.blockNumber()) < first) return 'unknown';
  const { token, owner, spender } = plan;
  const logs = await reader.approvals(token, owner, spender, first);
  const call = approveCall(plan);
  for (const log of logs.filter((candidate) => isApproval(plan, candidate)).reverse()) {
    const transaction = await reader.transaction(log.transactionHash);
    if (transaction !== null && sameHex(transaction.input, call.data)) {
      return { transactionId: transaction.hash };
    }
  }
  return 'unknown';
}
