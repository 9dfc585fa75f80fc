import type { ReadingContext } from '../../delegation/reading-context.js';
import { canPay, estimateFee } from './fee.js';
import type { SolanaPlan } from './plan.js';
import { readAccounts } from './read-accounts.js';

/** The lamports of the wallet; `undefined` if the connection does not report them. */
export function lamportsOf(
  info: { lamports?: number | bigint | undefined } | null | undefined,
): bigint | undefined {
  if (info === null || info === undefined) return 0n;
  return info.lamports === undefined ? undefined : BigInt(info.lamports);
}

/** Whether the wallet can pay the fee of the approval. An unknown balance counts as enough. */
export async function hasGas(plan: SolanaPlan, context: ReadingContext): Promise<boolean> {
  const { node: connection } = plan.options;
  const read = () => readAccounts(connection, [plan.wallet.address], plan.commitment);
  const [info] = await context.read('the balance', read);
  const lamports = lamportsOf(info);
  return lamports === undefined || canPay(lamports, estimateFee(plan));
}
