import { DECIMALS, encodeAllowance } from '../approval/calldata.js';
import { type BatchResult, encodeBatch, parseBatch } from './batch-call.js';

/** The token, owner and spender that an allowance belongs to. */
export type Allowance = {
  readonly token: string;
  readonly owner: string;
  readonly spender: string;
};

/** What the chain says about a delegation before anything is signed. */
export type ChainFacts = {
  readonly chainId: number;
  /** `undefined` when no token with `decimals()` is at the address. */
  readonly decimals: bigint | undefined;
  readonly spenderHasCode: boolean;
  /** What the spender may spend, in base units; `undefined` if the node does not say. */
  readonly allowance: bigint | undefined;
  /** The owner's native coins, in wei; `undefined` if the node does not say. */
  readonly balance: bigint | undefined;
  /** The start of the owner's code; `0x` if it has none, `undefined` if the node does not say. */
  readonly ownerCode: string | undefined;
};

/** An `eth_call` that reads all of it at once. Without a receiver, the node runs the calldata. */
export function chainFactsCall({ token, spender, owner }: Allowance) {
  const calls = [
    { to: token, data: DECIMALS },
    { to: token, data: encodeAllowance(owner, spender) },
  ] as const;
  return {
    params: [{ data: encodeBatch(calls, { spender, owner }) }, 'latest'],
    parse: (response: unknown): ChainFacts | undefined =>
      factsOf(parseBatch(response, calls.length)),
  };
}

function factsOf(batch: BatchResult | undefined): ChainFacts | undefined {
  if (batch === undefined) return undefined;
  const { words, ...facts } = batch;
  const [decimals, allowance] = words;
  return { ...facts, decimals, allowance };
}
