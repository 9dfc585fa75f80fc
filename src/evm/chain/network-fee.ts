import type { EvmCall } from '../approval/calls.js';
import type { ChainReader } from './reader.js';

/** What the first approval writes to storage costs more than a change to zero, in gas. */
const FIRST_WRITE = 20_000n;

/**
 * Estimates what the transactions of an account cost, in wei: gas times the current price. The second
 * of two cannot be estimated before the first is mined: it counts as the first, and what a storage
 * slot costs that was zero.
 *
 * @throws ChainReadError when the node estimates nothing
 */
export async function estimateFee(
  reader: ChainReader,
  owner: string,
  calls: readonly EvmCall[],
): Promise<bigint> {
  const [first] = calls;
  if (first === undefined) return 0n;
  const [price, gas] = await Promise.all([reader.gasPrice(), reader.estimateGas(owner, first)]);
  const further = BigInt(calls.length - 1) * (gas + FIRST_WRITE);
  return price * (gas + further);
}
