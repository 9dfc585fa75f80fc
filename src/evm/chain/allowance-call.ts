import { encodeAllowance } from '../approval/calldata.js';
import { isHex } from './json-rpc.js';

/** The `eth_call` that reads an allowance. */
export function allowanceCall(token: string, owner: string, spender: string, at: string) {
  const params = [{ to: token, data: encodeAllowance(owner, spender) }, at];
  return { what: 'the allowance: is the token on this chain?', method: 'eth_call', params };
}

/** An allowance in base units; `undefined` for an invalid response. */
export function parseAllowance(response: unknown): bigint | undefined {
  return isHex(response, 32) ? BigInt(response) : undefined;
}
