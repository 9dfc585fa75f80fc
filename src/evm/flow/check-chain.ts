import type { DriverContext } from '../../delegation/driver.js';
import { WrongChainError } from '../../delegation/flow-wallet-errors.js';
import type { ChainReader } from '../chain/reader.js';
import type { EvmPlan } from './plan.js';

/** Checks that wallet and node are on the chain, and that the token is there too. */
export async function checkChain(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
): Promise<void> {
  await checkWalletChain(plan, context);
  await checkNodeChain(plan, reader);
  await reader.allowance(plan.token, plan.owner, plan.spender, 'latest');
}

/** Checks the wallet alone: the user may switch it at any time. */
export async function checkWalletChain(plan: EvmPlan, context: DriverContext): Promise<void> {
  const actual = await context.read('the chain of the wallet', () => plan.wallet.getChainId());
  if (actual !== plan.chainId) throw wrongChain('the wallet', plan, actual);
}

/** Checks the node alone: data of another chain proves nothing. */
export async function checkNodeChain(plan: EvmPlan, reader: ChainReader): Promise<void> {
  const actual = await reader.chainId();
  if (actual !== plan.chainId) throw wrongChain('the node that reads the chain', plan, actual);
}

function wrongChain(who: string, { chainId }: EvmPlan, actual: number): WrongChainError {
  return new WrongChainError(who, String(chainId), String(actual));
}
