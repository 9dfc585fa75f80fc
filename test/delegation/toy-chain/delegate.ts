import { checkOptions } from '../../../src/delegation/check-options.js';
import type { DelegationResult } from '../../../src/delegation/options.js';
import { runDelegation } from '../../../src/delegation/run-delegation.js';
import { toyDriver } from './driver.js';
import { TOY_SAVED_STATE, type ToyDelegation } from './plan.js';

export { TransactionExpiredError } from '../../../src/delegation/approval-errors.js';
export { delegationStateOf } from '../../../src/delegation/state.js';

/** Delegates on the toy chain, as `delegateEvm` and `delegateSolana` do on theirs. */
export async function delegateToy(
  plan: ToyDelegation,
  change: (driver: ReturnType<typeof toyDriver>) => ReturnType<typeof toyDriver> = (driver) =>
    driver,
): Promise<DelegationResult> {
  const checked = checkOptions(plan, ['wallet', 'node'], TOY_SAVED_STATE);
  return runDelegation(change(toyDriver(checked)), checked);
}
