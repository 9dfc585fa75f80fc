import { ApprovalUnknownError } from '../../delegation/approval-errors.js';
import type { EvmRun } from './evm-run.js';

/**
 * Waits until no transaction of the owner is pending, if an earlier run has asked the wallet for one:
 * its response can be lost, and a second reset of the limit would cost a second fee.
 *
 * @throws ApprovalUnknownError when one stays pending, unless the caller set `approveAgain`
 */
export async function settlePending({ plan, reader, context }: EvmRun): Promise<void> {
  const { owner, options, confirmationTimeout, pollingInterval } = plan;
  if (context.notes()['nextNonce'] === undefined || options.approveAgain === true) return;
  const start = context.now();
  for (;;) {
    const mined = await reader.transactionCount(owner, 'latest');
    if ((await reader.transactionCount(owner, 'pending')) <= mined) return;
    if (context.now() - start >= confirmationTimeout) {
      throw new ApprovalUnknownError('a transaction of the wallet is still pending');
    }
    await context.sleep(pollingInterval);
  }
}
