import { ChainReadError } from '../../delegation/wallet-errors.js';
import { checkAddress, planSpender } from '../approval/plan.js';
import type { EvmAsset } from '../networks.js';
import { allowanceCall, parseAllowance } from './allowance-call.js';
import type { EvmNode } from './node.js';

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
