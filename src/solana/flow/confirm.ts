import { hexToBytes } from '@noble/hashes/utils.js';
import {
  ConfirmationTimeoutError,
  TransactionExpiredError,
  TransactionRevertedError,
} from '../../delegation/approval-errors.js';
import type { ApprovalSearchResult, DriverContext } from '../../delegation/driver.js';
import { addressObject, type SolanaSignatureStatus } from '../connection.js';
import { blockHeight } from './blockhash.js';
import type { SolanaPlan } from './plan.js';
import { readTokenState } from './token-state.js';
import { isApproval } from './verify.js';

const POLLING_INTERVAL_MS = 2_000;
const MAX_SIGNATURES = 100;
const CLOCK_MARGIN_S = 60;

async function statusOf(plan: SolanaPlan, context: DriverContext, signature: string) {
  const config = { searchTransactionHistory: true };
  const read = () => plan.options.connection.getSignatureStatuses([signature], config);
  const { value } = await context.read('the transaction', read);
  return value[0] ?? undefined;
}

/** Whether the chain no longer takes the transaction; `false` where its end is not known. */
async function hasExpired(plan: SolanaPlan, context: DriverContext): Promise<boolean> {
  const last = context.notes()['lastValidBlockHeight'];
  if (last === undefined) return false;
  const { connection } = plan.options;
  // Only on finalized blocks do all nodes agree, and only there does "not found" prove anything.
  const read = () => connection.getBlockHeight('finalized');
  const height = await context.read('the block height', async () => blockHeight(await read()));
  return height > Number(last);
}

function hasCommitment({ confirmationStatus }: SolanaSignatureStatus, plan: SolanaPlan): boolean {
  const wanted = plan.options.commitment ?? 'confirmed';
  return confirmationStatus === 'finalized' || confirmationStatus === wanted;
}

/** Sends the same signed transaction again: nodes drop some, and it can execute only once. */
async function rebroadcast(plan: SolanaPlan, context: DriverContext): Promise<void> {
  const { transaction } = context.notes();
  if (transaction === undefined) return;
  const signed = hexToBytes(transaction);
  const send = () => plan.options.connection.sendRawTransaction(signed, { maxRetries: 0 });
  // The response does not matter: the status of the transaction decides.
  await context.read('sending the approval again', send).catch(() => {});
}

/** Waits until the chain has executed the approval. */
export async function confirm(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<string> {
  const { confirmationTimeout: limit } = plan;
  const startedAt = context.now();
  for (;;) {
    // Read before the status: a transaction not found after its expiry can no longer execute.
    const isOver = await hasExpired(plan, context);
    const status = await statusOf(plan, context, signature);
    if (status?.err) throw new TransactionRevertedError(signature);
    if (status !== undefined && hasCommitment(status, plan)) return signature;
    if (status === undefined && isOver) throw new TransactionExpiredError(signature);
    if (context.now() - startedAt >= limit) throw new ConfirmationTimeoutError(signature, limit);
    if (status === undefined) await rebroadcast(plan, context);
    await context.sleep(POLLING_INTERVAL_MS);
  }
}

/**
 * Searches for an approval that the wallet sent and whose signature was lost with a closed tab.
 * Returns `unknown` if the connection has no history, or more than was read.
 */
async function searchHistory(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<ApprovalSearchResult> {
  const { connection, commitment = 'confirmed' } = plan.options;
  const list = connection.getSignaturesForAddress?.bind(connection);
  if (list === undefined) return 'unknown';
  const since = Number(context.notes()['askedAt'] ?? 0) / 1000 - CLOCK_MARGIN_S;
  const { tokenAccount } = await readTokenState(plan, context);
  const read = () => list(addressObject(tokenAccount), { limit: MAX_SIGNATURES }, commitment);
  const history = await context.read('the history', read);
  const recent = history.filter(({ blockTime }) => (blockTime ?? since) >= since);
  for (const { signature, err } of recent) {
    if (err === null && (await isApproval(plan, signature, context))) {
      return { transactionId: signature };
    }
  }
  return recent.length < MAX_SIGNATURES ? 'not-sent' : 'unknown';
}

/** Searches for an approval whose signature was lost. */
export async function findApproval(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<ApprovalSearchResult> {
  const { signature, sentBy } = context.notes();
  if (signature !== undefined) return { transactionId: signature };
  // A signature is saved before the flow sends what it belongs to.
  if (sentBy === 'flow') return 'not-sent';
  const isOver = await hasExpired(plan, context);
  const found = await searchHistory(plan, context);
  return found === 'not-sent' && !isOver ? 'unknown' : found;
}
