import type { EvmCall } from '../approval/calls.js';
import type { ChainReader } from './reader.js';

/** How much more gas it takes to set a limit that was zero than to set one to zero. */
const FIRST_WRITE = 20_000n;

/** More gas than an approval, and a reset of the old limit before it, use. */
const PLENTY_OF_GAS = 1_000_000n;

/** Whether coins are so many, at a price of gas, that no estimate is needed. */
export function isPlenty(balance: bigint, price: bigint): boolean {
  return balance >= price * PLENTY_OF_GAS;
}

/**
 * Estimates the cost of an account's transactions in wei: gas times the current price. The second of
 * two cannot be estimated before the first is mined. It is counted as the first, plus the gas to write
 * a storage slot that was zero.
 *
 * @param knownPrice the price of gas, if it was just read
 * @throws ChainReadError when the node estimates nothing
 */
export async function estimateFee(
  reader: ChainReader,
  owner: string,
  calls: readonly EvmCall[],
  knownPrice?: bigint,
): Promise<bigint> {
  const [first] = calls;
  if (first === undefined) return 0n;
  const [price, gas] = await Promise.all([
    knownPrice ?? reader.gasPrice(),
    reader.estimateGas(owner, first),
  ]);
  const further = BigInt(calls.length - 1) * (gas + FIRST_WRITE);
  return price * (gas + further);
}
