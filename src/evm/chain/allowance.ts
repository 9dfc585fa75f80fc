import { ChainReadError } from '../../delegation/wallet-errors.js';
import { checkAddress } from '../address.js';
import { encodeAllowance } from '../approval/calldata.js';
import { planSpender } from '../approval/spending-limit.js';
import type { EvmAsset } from '../networks.js';
import { type EvmNode, isHex } from './json-rpc.js';

/** The `eth_call` that reads an allowance. */
export function allowanceCall(token: string, owner: string, spender: string, at: string) {
  const params = [{ to: token, data: encodeAllowance(owner, spender) }, at];
  return { what: 'the allowance: is the token on this chain?', method: 'eth_call', params };
}

/** An allowance in base units; `undefined` for an invalid response. */
export function parseAllowance(response: unknown): bigint | undefined {
  return isHex(response, 32) ? BigInt(response) : undefined;
}

/**
 * Reads how much of an owner's tokens a spender may spend, in base units.
 *
 * @throws RequestValidationError when a name or an address is invalid.
 * @throws ChainReadError when the node fails, or the token is not on its chain.
 *
 * @example
 * ```ts
 * import { type EvmNode, readAllowance } from 'card-platform-sdk/evm';
 *
 * function limitOf(node: EvmNode, owner: string, spender: string): Promise<bigint> {
 *   return readAllowance({ node, network: 'linea', currency: 'usdc', owner, spender });
 * }
 * ```
 */
export async function readAllowance(
  input: EvmAsset & { node: EvmNode; owner: string; spender: string },
): Promise<bigint> {
  const { token, spender } = planSpender(input);
  const owner = checkAddress('owner', input.owner);
  const { what, method, params } = allowanceCall(token, owner, spender, 'latest');
  let response: unknown;
  try {
    response = await input.node.request({ method, params });
  } catch (error) {
    throw new ChainReadError(what, 'not_sent', error);
  }
  const allowance = parseAllowance(response);
  if (allowance === undefined) throw new ChainReadError(what, 'not_sent');
  return allowance;
}
