import type { SolanaPlan } from './plan.js';

/**
 * Checks a block height from a node. It decides whether an approval can still arrive, so anything but
 * a whole number is an error.
 */
export function blockHeight(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError('the node returned something that is not a block height');
}

/** A recent blockhash, and the height of the last block that can contain a transaction with it. */
export async function readBlockhash({ options: { node: connection }, commitment }: SolanaPlan) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash(commitment);
  return { blockhash, last: blockHeight(lastValidBlockHeight) };
}
