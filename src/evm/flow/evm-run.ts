import type { DriverContext } from '../../delegation/driver.js';
import type { ChainReader } from '../chain/reader.js';
import type { EvmPlan } from './plan.js';

/** One step of a flow: the checked input, the node, and what the flow provides. */
export type EvmRun = {
  readonly plan: EvmPlan;
  readonly reader: ChainReader;
  readonly context: DriverContext;
};
