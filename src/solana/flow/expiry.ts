import { hexToBytes } from '@noble/hashes/utils.js';
import type { DriverContext } from '../../delegation/driver.js';
import type { SolanaCommitment } from '../connection.js';
import { durableNonceOf } from '../transaction.js';
import type { SolanaPlan } from './plan.js';
import { readAccounts } from './read-chain.js';

/**
 * Checks a block height from a node. It decides whether an approval can still arrive, so anything but
 * a whole number is an error.
 */
function blockHeight(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError('the node returned something that is not a block height');
}

/** A recent blockhash, and the height of the last block that can contain a transaction with it. */
export async function readBlockhash(
  { options: { node: connection }, commitment: usual }: SolanaPlan,
  commitment: SolanaCommitment = usual,
) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash(commitment);
  return { blockhash, last: blockHeight(lastValidBlockHeight) };
}

/** Whether the chain can still take the approval. */
export type Expiry = {
  readonly isOver: boolean;
  /** The slot in which that was known, where the connection reports it. */
  readonly slot?: number | undefined;
};

/**
 * Saves the last block that can contain a transaction that the wallet has already signed. A wallet may
 * use a blockhash of its own, but it cannot be newer than the newest one, which no fork has to confirm.
 */
export async function saveExpiry(plan: SolanaPlan, context: DriverContext): Promise<string> {
  const { last } = await context.read('the blockhash', () => readBlockhash(plan, 'processed'));
  context.saveNotes({ lastValidBlockHeight: String(last) });
  return String(last);
}

/**
 * Reads whether the approval has expired, by the finalized block height: only on finalized blocks do
 * all nodes agree, and only there does "not found" prove anything. No clock is compared.
 */
export async function readExpiry(plan: SolanaPlan, context: DriverContext): Promise<Expiry> {
  if (await hasUnusedNonce(plan, context)) {
    // Once the nonce is used, it is like a transaction with the newest blockhash of that time.
    if (context.notes()['lastValidBlockHeight'] !== undefined) {
      context.saveNotes({ lastValidBlockHeight: undefined });
    }
    return { isOver: false };
  }
  const last = Number(context.notes()['lastValidBlockHeight'] ?? (await saveExpiry(plan, context)));
  const { height, slot } = await context.read('the block height', () => finalizedBlock(plan));
  return { isOver: height > last, slot };
}

/** Where an account that keeps a nonce has it. */
const NONCE_AT = 40;

/**
 * Whether the wallet has put a durable nonce in place of the blockhash, which its account still keeps: such
 * a transaction never expires.
 */
async function hasUnusedNonce(plan: SolanaPlan, context: DriverContext): Promise<boolean> {
  const { transaction = '' } = context.notes();
  const durable = durableNonceOf(hexToBytes(transaction));
  if (durable === undefined) return false;
  const { account, nonce } = durable;
  // Its account cannot be found without the lookup table, so nothing shows that it was used.
  if (account === undefined) return true;
  const { node: connection } = plan.options;
  const read = () => readAccounts(connection, [account], 'finalized');
  const [info] = await context.read('the nonce of the transaction', read);
  const kept = Uint8Array.from(info?.data ?? []).subarray(NONCE_AT, NONCE_AT + nonce.length);
  return kept.join() === nonce.join();
}

async function finalizedBlock({ options: { node: connection } }: SolanaPlan) {
  if (connection.getEpochInfo === undefined) {
    return { height: blockHeight(await connection.getBlockHeight('finalized')) };
  }
  const { blockHeight: height, absoluteSlot } = await connection.getEpochInfo('finalized');
  return { height: blockHeight(height), slot: blockHeight(absoluteSlot) };
}
