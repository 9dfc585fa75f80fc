import type { DriverContext } from '../../delegation/driver.js';
import type { ChainReader } from '../chain/reader.js';
import type { EvmPlan } from './plan.js';

const MAX_READS = 3;

/**
 * The allowance after a transaction. Behind one address there are often several nodes, of which one
 * may not have the block yet: what is not as expected is looked at again.
 */
export async function settledAllowance(
  { token, owner, spender, pollingInterval }: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
  isExpected: (units: bigint) => boolean,
): Promise<bigint> {
  for (let look = 1; ; look++) {
    const units = await reader.allowance(token, owner, spender, 'latest');
    if (isExpected(units) || look === MAX_READS) return units;
    await context.sleep(pollingInterval);
  }
}
