import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import type { ApprovalSearchResult } from '../../delegation/driver.js';
import { approveCall } from '../approval/calls.js';
import { decodeApprove } from '../approval/on-chain.js';
import { isHex } from '../chain/json-rpc.js';
import type { Transaction } from '../chain/responses.js';
import { hashOf } from '../wallets/wallet-requests.js';
import { checkNodeChain } from './check-chain.js';
import type { EvmRun } from './evm-run.js';
import { findByNonce, isSameCall } from './mined-transaction.js';
import type { EvmPlan } from './plan.js';
import { searchApprovals } from './search-approvals.js';

/**
 * Searches for an approval whose hash was lost, in the blocks since the wallet was asked: by its event,
 * and by the account's nonce where the node refuses to search. If it is not there, that proves
 * nothing: the wallet may not have sent it yet, or its prompt may still be open.
 */
export async function findApproval(run: EvmRun): Promise<ApprovalSearchResult> {
  const { plan, reader, context } = run;
  const { sentAfter, nextNonce, raw, sentBy } = context.notes();
  if (isHex(raw)) return { transactionId: hashOf(raw) };
  // The hash is saved before the flow sends what it belongs to.
  if (sentBy === 'flow') return 'not-sent';
  if (sentAfter === undefined) return 'unknown';
  await checkNodeChain(run);
  const after = BigInt(sentAfter);
  const expectedNonce = nextNonce === undefined ? undefined : BigInt(nextNonce);
  const isApproval = (transaction: Transaction) =>
    isSameCall(transaction, approveCall(plan)) || isEdited(plan, transaction, expectedNonce);
  const found =
    (await searchApprovals(run, after, isApproval)) ??
    (expectedNonce === undefined ? undefined : await findByNonce(run, expectedNonce, after));
  if (found === undefined || !isApproval(found)) return 'unknown';
  // The user can also set another limit elsewhere. If that failed, the prompt may still be open.
  const isCertain =
    isSameCall(found, approveCall(plan)) || (await reader.receipt(found.hash))?.succeeded === true;
  return isCertain ? { transactionId: found.hash } : 'unknown';
}

/**
 * Searches for the approval that set the limit that is there now, of which this flow knows nothing.
 * What it noted of a transaction of its own is forgotten then.
 */
export async function findEqualApproval(run: EvmRun): Promise<string | undefined> {
  const { plan, context } = run;
  const found = await searchApprovals(run, 0n, (one) => isSameCall(one, approveCall(plan)));
  if (found === undefined) return undefined;
  context.saveNotes({ raw: undefined, nonce: undefined, missing: undefined });
  return found.hash;
}

/** The user can change the limit in the wallet: then it still is the approval that was asked for. */
function isEdited(
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
