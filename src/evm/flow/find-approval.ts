import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import type { ApprovalSearchResult, DriverContext } from '../../delegation/driver.js';
import { approveCall } from '../approval/calls.js';
import type { ChainReader } from '../chain/reader.js';
import { checkNodeChain } from './check-chain.js';
import type { EvmPlan } from './plan.js';
import { isApproval } from './verify.js';

/** The range that most nodes search at once: more than a day on ethereum, five hours on linea. */
const MAX_BLOCKS = 9_999n;

/**
 * Searches the blocks since the wallet was asked for an approval whose hash was lost. If it is not
 * there, that proves nothing: the wallet may not have sent it yet, or its prompt may still be open.
 */
export async function findApproval(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
): Promise<ApprovalSearchResult> {
  const { sentAfter } = context.notes();
  if (sentAfter === undefined) return 'unknown';
  await checkNodeChain(plan, reader);
  const first = BigInt(sentAfter) + 1n;
  // Nodes refuse to search blocks that do not exist yet.
  const latest = await reader.blockNumber();
  if (latest < first) return 'unknown';
  const last = latest < first + MAX_BLOCKS ? latest : first + MAX_BLOCKS;
  const { token, owner, spender } = plan;
  const logs = await reader.approvals(token, owner, spender, [first, last]);
  const call = approveCall(plan);
  for (const log of logs.filter((candidate) => isApproval(plan, candidate)).reverse()) {
    const transaction = await reader.transaction(log.transactionHash);
    if (transaction !== null && equalsIgnoringCase(transaction.input, call.data)) {
      return { transactionId: transaction.hash };
    }
  }
  return 'unknown';
}
