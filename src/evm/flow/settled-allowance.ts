import type { DriverContext } from '../../delegation/driver.js';
import type { ChainReader } from '../chain/reader.js';
import type { EvmPlan } from './plan.js';

const MAX_READS = 3;

/**
 * Reads the allowance after a transaction, and again if it is not as expected: behind one URL there
 * are often several nodes, of which one may not have the block yet.
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
