import { ChainReadError } from '../../delegation/index.js';
import { isCardPlatformError } from '../../errors/index.js';
import { checkAddress, planToken } from '../approval/plan.js';
import type { EvmAsset } from '../networks.js';
import { ChainReader, type EvmNode } from './reader.js';

/**
 * What a spender may spend of an owner's tokens now, in base units.
 *
 * @throws RequestValidationError when a name or an address is not right.
 * @throws ChainReadError when the node fails, or the token is not on its chain.
 *
 * @example
 * ```ts
 * import { type EvmNode, readAllowance } from 'card-platform-sdk/evm';
 *
 * function limitOf(publicClient: EvmNode, owner: string, spender: string): Promise<bigint> {
 *   return readAllowance({ publicClient, network: 'linea', currency: 'usdc', owner, spender });
 * }
 * ```
 */
export async function readAllowance(
  input: EvmAsset & { publicClient: EvmNode; owner: string; spender: string },
): Promise<bigint> {
  const { token, spender } = planToken(input);
  const owner = checkAddress('owner', input.owner);
  const reader = new ChainReader(input.publicClient, readOnce);
  return reader.allowance(token, owner, spender, 'latest');
}

async function readOnce<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw isCardPlatformError(error) ? error : new ChainReadError(what, 'not_sent', error);
  }
}
