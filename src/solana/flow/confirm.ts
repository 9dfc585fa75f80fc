import {
  ConfirmationTimeoutError,
  type DriverContext,
  type FoundApproval,
  TransactionExpiredError,
  TransactionRevertedError,
} from '../../delegation/surface.js';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.js';
import { addressObject, type SolanaSignatureStatus } from '../connection.js';
import type { SolanaPlan } from './plan.js';
import { loadBytes } from './saved-bytes.js';
import { tokenAccountIn } from './token-state.js';
import { isApproval } from './verify.js';

const LOOK_EVERY_MS = 2_000;
const TIMEOUT_MS = 180_000;
const RECENT_SIGNATURES = 20;

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
  const { connection, commitment = 'confirmed' } = plan.options;
  const height = await context.read('the block height', () =>
    connection.getBlockHeight(commitment),
  );
  return height > Number(last);
}

function isSure({ confirmationStatus }: SolanaSignatureStatus, plan: SolanaPlan): boolean {
  const wanted = plan.options.commitment ?? 'confirmed';
  return confirmationStatus === 'finalized' || confirmationStatus === wanted;
}

/** Sends the same signed transaction again: nodes drop some, and twice the same is once. */
async function rebroadcast(plan: SolanaPlan, context: DriverContext): Promise<void> {
  const signed = loadBytes(context.notes()['transaction']);
  if (signed === undefined) return;
  // Whatever the node says to a repeat, the status of the transaction says more.
  await plan.options.connection.sendRawTransaction(signed, { maxRetries: 0 }).catch(() => {});
}

/** Waits until the chain has executed the approval. */
export async function confirm(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<string> {
  const limit = plan.options.confirmationTimeout ?? TIMEOUT_MS;
  const startedAt = context.now();
  for (;;) {
    // Asked before the status: what is not found after the end can no longer come.
    const isOver = await hasExpired(plan, context);
    const status = await statusOf(plan, context, signature);
    if (status?.err) throw new TransactionRevertedError(signature);
    if (status !== undefined && isSure(status, plan)) return signature;
    if (status === undefined && isOver) throw new TransactionExpiredError(signature);
    if (context.now() - startedAt >= limit) throw new ConfirmationTimeoutError(signature, limit);
    if (status === undefined) await rebroadcast(plan, context);
    await context.sleep(LOOK_EVERY_MS);
  }
}

/** Looks for an approval that the wallet sent and whose signature was lost with a closed tab. */
async function searchHistory(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<FoundApproval | undefined> {
  const { connection, commitment = 'confirmed' } = plan.options;
  const list = connection.getSignaturesForAddress?.bind(connection);
  if (list === undefined) return undefined;
  const since = Number(context.notes()['askedAt'] ?? 0) / 1000;
  for (const program of [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    const account = addressObject(tokenAccountIn(plan, program));
    const read = () => list(account, { limit: RECENT_SIGNATURES }, commitment);
    for (const { signature, err, blockTime } of await context.read('the history', read)) {
      const isRecent = typeof blockTime !== 'number' || blockTime >= Math.floor(since) - 60;
      if (!isRecent || err !== null) continue;
      if (await isApproval(plan, signature, context)) return { transactionId: signature };
    }
  }
  return undefined;
}

/** What became of an approval whose answer was lost. */
export async function findApproval(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<FoundApproval> {
  const { signature } = context.notes();
  if (signature !== undefined) return { transactionId: signature };
  const isOver = await hasExpired(plan, context);
  const found = await searchHistory(plan, context);
  if (found !== undefined) return found;
  const canSearch = plan.options.connection.getSignaturesForAddress !== undefined;
  // A wallet may have sent it with another blockhash, so only a search may say that it did not.
  return isOver && (canSearch || plan.wallet.signTransaction) ? 'not-sent' : 'unknown';
}
