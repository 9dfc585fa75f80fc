import type { SolanaPlan } from './plan.js';

/**
 * A block height of a node. Whether an approval can still arrive depends on it, so that anything
 * but a whole number counts as no answer.
 */
export function blockHeight(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError('the node returned something that is not a block height');
}

/** A recent blockhash, and the last block that takes a transaction with it. */
export async function readBlockhash({ options }: SolanaPlan) {
  const { connection, commitment = 'confirmed' } = options;
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash(commitment);
  return { blockhash, last: blockHeight(lastValidBlockHeight) };
}
