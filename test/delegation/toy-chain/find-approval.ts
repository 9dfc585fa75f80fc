import type { ApprovalSearchResult, DriverContext } from '../../../src/delegation/driver.js';
import type { SeenTransaction } from './node.js';
import {
  FINAL_DEPTH,
  isRequested,
  LOOKS,
  POLLING_INTERVAL_MS,
  type ToyDelegation,
} from './plan.js';
import { checkNodeChain, isFinal, readAccount, readHistory, readTransaction } from './reads.js';

/** Whether no block can contain the approval any more, as far as a node at this height can know. */
export function isOver(context: DriverContext, height: number): boolean {
  const { validUntil } = context.notes();
  return validUntil !== undefined && height > Number(validUntil) + FINAL_DEPTH;
}

/**
 * Searches for an approval whose id was lost. An approval that can expire was not sent if it is not
 * there once it has expired. Any other approval can still come: its prompt may be open.
 */
export async function findApproval(
  plan: ToyDelegation,
  context: DriverContext,
): Promise<ApprovalSearchResult> {
  if (context.notes()['sentAfter'] === undefined) return 'unknown';
  await checkNodeChain(plan, context, 'unknown');
  const { height, transactions } = await readHistory(plan, context);
  const isApproval = ({ approve }: SeenTransaction) => isRequested(plan, approve);
  // Another limit can also be one that the user set elsewhere: if that fails, the prompt may be open.
  const isEdited = (one: SeenTransaction) =>
    one.approve?.spender === plan.spender && one.succeeded === true && isFinal(one, height);
  // A later one can have failed after this one succeeded.
  const found =
    transactions.findLast((one) => isApproval(one) && one.succeeded === true) ??
    transactions.findLast(isApproval) ??
    transactions.findLast(isEdited);
  if (found !== undefined) return { transactionId: found.id };
  return isOver(context, height) ? 'not-sent' : 'unknown';
}

/** Whether a sent approval can never have an effect, and no copy of it with another fee either. */
export async function hasDisappeared(
  plan: ToyDelegation,
  context: DriverContext,
  id: string,
): Promise<boolean> {
  const { validUntil, missing } = context.notes();
  const mayLook = validUntil !== undefined || missing === id || plan.approveAgain === true;
  if (!mayLook) return false;
  await checkNodeChain(plan, context, 'unknown');
  for (let look = 1; ; look++) {
    if (!(await isMissing(plan, context, id))) return false;
    if (look === LOOKS) return true;
    await context.sleep(POLLING_INTERVAL_MS);
  }
}

/** The same at one moment, according to one node. */
export async function isMissing(
  plan: ToyDelegation,
  context: DriverContext,
  id: string,
): Promise<boolean> {
  if ((await readTransaction(plan, context, id)).found !== undefined) return false;
  const { height, transactions } = await readHistory(plan, context);
  const expected = context.notes()['nonce'];
  const isCopy = ({ approve, nonce }: SeenTransaction) =>
    approve?.spender === plan.spender && (expected === undefined || nonce === Number(expected));
  if (transactions.some(isCopy)) return false;
  if (context.notes()['validUntil'] !== undefined) return isOver(context, height);
  const { nonce, pendingNonce } = await readAccount(plan, context);
  return pendingNonce === nonce && (expected === undefined || nonce <= Number(expected));
}
