import {
  endedWithoutApproval,
  TransactionRevertedError,
} from '../../delegation/approval-errors.js';
import type { DriverContext } from '../../delegation/driver.js';
import type { EvmRun } from './evm-run.js';

/** Notes which approval ended without an effect, then throws the error that shows it. */
export function noteEnd(context: DriverContext, sent: string, error: unknown): never {
  if (endedWithoutApproval(error)) {
    // The failed one can be a copy of what the wallet sent, with another fee.
    const failed = error instanceof TransactionRevertedError ? error.transactionId : undefined;
    context.saveNotes({ ended: failed ?? sent });
  }
  throw error;
}

/**
 * The hash of an approval that had failed and is valid again: a reorganization removed its block, and
 * it is pending again, or succeeded in another one. `undefined` if it is still as it was, or unknown.
 */
export async function findRestored({ reader, context }: EvmRun): Promise<string | undefined> {
  const { ended } = context.notes();
  if (ended === undefined) return undefined;
  const receipt = await reader.receipt(ended);
  const isBack = receipt?.succeeded ?? (await reader.transaction(ended)) !== null;
  return isBack ? ended : undefined;
}
