import type { DriverContext } from '../../../src/delegation/driver.js';
import { ChainReadError, WrongChainError } from '../../../src/delegation/wallet-errors.js';
import type { SeenTransaction } from './node.js';
import { FINAL_DEPTH, POLLING_INTERVAL_MS, type ToyDelegation } from './plan.js';

const MAX_LAG_MS = 30_000;

/** Reads of the chain, each with the time limit of the flow. */
export const readTransaction = (plan: ToyDelegation, context: DriverContext, id: string) =>
  context.read('the transaction', () => plan.node.transaction(id));

export const readAccount = (plan: ToyDelegation, context: DriverContext) =>
  context.read('the account', () => plan.node.account(plan.owner));

/** The transactions of the owner since the wallet was asked. */
export const readHistory = (plan: ToyDelegation, context: DriverContext) =>
  context.read('the history', () =>
    plan.node.transactionsOf(plan.owner, Number(context.notes()['sentAfter'] ?? 0)),
  );

/** Refuses a node of another chain, because it proves nothing about a transaction. */
export async function checkNodeChain(
  plan: ToyDelegation,
  context: DriverContext,
  outcome: 'not_sent' | 'unknown',
): Promise<void> {
  const actual = await context.read('the chain of the node', () => plan.node.chainId());
  if (actual !== plan.chainId) {
    throw new WrongChainError('the node', plan.chainId, actual, outcome);
  }
}

/** Reads until a value is as expected, because one of several nodes can be behind. */
export async function readSettled<T>(
  context: DriverContext,
  read: () => Promise<T>,
  isExpected: (value: T) => boolean,
): Promise<T> {
  for (const start = context.now(); ; ) {
    const isLast = context.now() - start >= MAX_LAG_MS;
    try {
      const value = await read();
      if (isExpected(value) || isLast) return value;
    } catch (error) {
      if (isLast || !(error instanceof ChainReadError)) throw error;
    }
    await context.sleep(POLLING_INTERVAL_MS);
  }
}

/** A block that can still be removed proves no failure: the same transaction may succeed in another. */
export function isFinal(transaction: SeenTransaction, height: number): boolean {
  return isMined(transaction) && transaction.height <= height - FINAL_DEPTH;
}

/** Whether a transaction is in a block. */
export function isMined(
  transaction: SeenTransaction | undefined,
): transaction is SeenTransaction & { height: number; succeeded: boolean } {
  return transaction?.height !== undefined;
}
