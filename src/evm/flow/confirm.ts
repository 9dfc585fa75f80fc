import {
  ConfirmationTimeoutError,
  TransactionRevertedError,
} from '../../delegation/approval-errors.js';
import type { ChainError } from '../../delegation/chain-error.js';
import { WrongChainError } from '../../delegation/flow-wallet-errors.js';
import { ChainReadError } from '../../delegation/wallet-errors.js';
import type { EvmCall } from '../approval/calls.js';
import type { Receipt } from '../chain/responses.js';
import { checkNodeChain } from './check-chain.js';
import { isMissing } from './disappeared.js';
import type { EvmRun } from './evm-run.js';
import { followReplacement } from './replacement.js';

/** A transaction with enough confirmations. */
export type Mined = { readonly hash: string; readonly receipt: Receipt };

/**
 * Waits until a transaction has succeeded and has enough confirmations. If the user speeds it up in
 * the wallet, the flow waits for its replacement.
 *
 * @throws TransactionRevertedError, TransactionReplacedError, TransactionCancelledError when there
 * is no approval.
 * @throws ConfirmationTimeoutError when it is not confirmed in time.
 */
export async function confirm(run: EvmRun, call: EvmCall, sent: string): Promise<Mined> {
  const { plan, reader, context } = run;
  const start = context.now();
  let hash = sent;
  for (;;) {
    let unreadable: ChainReadError | undefined;
    try {
      const receipt = await reader.receipt(hash);
      if (receipt === null) {
        hash = await followReplacement(run, call, hash);
      } else if (await hasEnoughConfirmations(run, receipt)) {
        if (!receipt.succeeded) throw new TransactionRevertedError(hash);
        return { hash, receipt };
      }
    } catch (error) {
      // The next poll may succeed: an outage of the node is not the end of the flow.
      if (!(error instanceof ChainReadError)) throw error;
      unreadable = error;
    }
    const waited = context.now() - start;
    if (waited >= plan.confirmationTimeout) {
      throw unreadable ?? (await timeoutError(run, hash, waited));
    }
    await context.sleep(plan.pollingInterval);
  }
}

/**
 * If the node never sees the transaction, the wallet or the node may have switched to another chain,
 * or the transaction was dropped. The latter is noted: only a resumed flow asks the wallet again.
 */
async function timeoutError(run: EvmRun, hash: string, waited: number): Promise<ChainError> {
  const { plan, context } = run;
  const actual = await plan.wallet.getChainId().catch(() => plan.chainId);
  if (actual !== plan.chainId) {
    return new WrongChainError('the wallet', String(plan.chainId), String(actual), 'unknown');
  }
  await checkNodeChain(run);
  const isGone = await isMissing(run, hash).catch(() => false);
  context.saveNotes({ missing: isGone ? hash : undefined });
  return new ConfirmationTimeoutError(hash, waited, isGone);
}

async function hasEnoughConfirmations(
  { plan: { confirmations }, reader }: EvmRun,
  { blockNumber }: Receipt,
): Promise<boolean> {
  if (confirmations === 1n) return true;
  return (await reader.blockNumber()) - blockNumber + 1n >= confirmations;
}
