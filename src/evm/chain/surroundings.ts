import { DECIMALS } from '../approval/calldata.js';
import type { EvmCall } from '../approval/calls.js';
import { type BatchResult, encodeBatch, parseBatch, type ViewCall } from './batch-call.js';

/** What the chain reports about the token and the spender of a delegation. */
export type Surroundings = {
  readonly chainId: number;
  readonly spenderHasCode: boolean;
  /** `undefined` when no token with `decimals()` is at the address. */
  readonly decimals: bigint | undefined;
  /** Whether a test run of the approval passed; `undefined` when the node made none. */
  readonly approvalPasses?: boolean;
};

/** An `eth_call` that reads all of it at once, and the parser of its response. */
export type SurroundingsCall = {
  readonly params: unknown[];
  readonly parse: (response: unknown) => Surroundings | undefined;
};

/** Without a receiver, the node runs the calldata like the constructor of a contract. */
export function surroundingsCall(token: string, spender: string): SurroundingsCall {
  const calls = [{ to: token, data: DECIMALS }] as const;
  return {
    params: [{ data: encodeBatch(calls, spender) }, 'latest'],
    parse: (response) => surroundingsOf(parseBatch(response, calls.length)),
  };
}

/**
 * The same with a test run of the approval: the request gives the owner code, which then calls the
 * token in the owner's name. Some nodes ignore or refuse such a state override.
 */
export function surroundingsCallAs(
  owner: string,
  { to, data }: EvmCall,
  spender: string,
): SurroundingsCall {
  const calls: ViewCall[] = [
    { to, data: DECIMALS },
    { to, data, writes: true },
  ];
  const overrides = { [owner]: { code: encodeBatch(calls, spender) } };
  return {
    params: [{ to: owner, data: '0x' }, 'latest', overrides],
    parse(response) {
      const batch = parseBatch(response, calls.length);
      const found = surroundingsOf(batch);
      return found && { ...found, approvalPasses: passes(batch) };
    },
  };
}

function surroundingsOf(batch: BatchResult | undefined): Surroundings | undefined {
  return (
    batch && { chainId: batch.chainId, spenderHasCode: batch.hasCode, decimals: batch.words[0] }
  );
}

/** A token may return nothing, as USDT does, or refuse by returning `false`. */
function passes(batch: BatchResult | undefined): boolean {
  return batch?.succeeded[1] === true && batch.words[1] !== 0n;
}
