import { AllowanceRacedError } from '../../../src/delegation/approval-errors.js';
import { throwMismatch } from '../../../src/delegation/changed-limit.js';
import type { DriverContext } from '../../../src/delegation/driver.js';
import type { SeenTransaction } from './node.js';
import type { ToyDelegation } from './plan.js';
import { checkNodeChain, isMined, readSettled, readTransaction } from './reads.js';

/** Compares the mined transaction with the request. */
export async function compare(
  plan: ToyDelegation,
  context: DriverContext,
  id: string,
): Promise<void> {
  const { found } = await readSettled(
    context,
    () => readTransaction(plan, context, id),
    (response) => isMined(response.found),
  );
  if (!isMined(found)) await checkNodeChain(plan, context, 'unknown');
  const field = difference(plan, found);
  if (field === undefined) return;
  const approved = field === 'amount' ? found?.approve?.amount : undefined;
  throwMismatch(context, id, { field, approved }, { decimals: 0, largest: 2n ** 64n - 1n });
}

function difference(
  { owner, spender, amount }: ToyDelegation,
  found: SeenTransaction | undefined,
): string | undefined {
  if (!isMined(found) || !found.succeeded) return 'transaction';
  if (found.from !== owner) return 'sender';
  if (found.approve?.spender !== spender) return 'spender';
  return found.approve.amount === amount ? undefined : 'amount';
}

/** The same, and checks that no other approval has replaced the limit since. */
export async function verify(
  plan: ToyDelegation,
  context: DriverContext,
  id: string,
): Promise<void> {
  await compare(plan, context, id);
  const { amount: limit, owner, spender, node } = plan;
  const { amount } = await readSettled(
    context,
    () => context.read('the limit', () => node.allowance(owner, spender)),
    (response) => response.amount > 0n && response.amount <= limit,
  );
  if (amount <= 0n || amount > limit) throw new AllowanceRacedError(limit, amount, 'executed', id);
}
