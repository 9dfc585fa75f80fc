import { TransactionRevertedError } from '../../delegation/transaction-reverted-error.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { isHash } from '../chain/json-rpc.js';

/** The fields read from the response to `wallet_getCallsStatus` (EIP-5792). */
export type CallsStatus = {
  /** 100 pending, 200 done, 400 not sent, 500 reverted, 600 reverted in part. */
  readonly status?: unknown;
  readonly receipts?: unknown;
};

/**
 * Returns the hash of the approval in a batch (EIP-5792) once the whole batch is executed;
 * `undefined` while it is pending. The approval is the last call of the batch, so its receipt is the
 * last.
 *
 * Compare the transaction with `buildApprovalCalls` before you submit it. The service accepts only an
 * `approve` that the wallet sent itself, not a batch in one transaction.
 *
 * @throws WalletError when the wallet did not send the batch (`not_sent`), executed only a part of it
 * or returned no hash (`unknown`).
 * @throws TransactionRevertedError when the whole batch failed on the chain.
 *
 * @example
 * ```ts
 * import { approvalHashOfCalls, type CallsStatus, type Eip1193Provider } from 'card-platform-sdk/evm';
 *
 * async function look(provider: Eip1193Provider, id: string): Promise<string | undefined> {
 *   const status = await provider.request({ method: 'wallet_getCallsStatus', params: [id] });
 *   return approvalHashOfCalls(status as CallsStatus);
 * }
 * ```
 */
export function approvalHashOfCalls(calls: CallsStatus): string | undefined {
  const { status, receipts }: CallsStatus = Object(calls);
  if (status === 100) return undefined;
  if (status === 400) throw new WalletError('it did not send the batch', 'not_sent');
  const last: unknown = Array.isArray(receipts) ? receipts.at(-1) : undefined;
  const { transactionHash, status: done } = Object(last) as Record<string, unknown>;
  if (!isHash(transactionHash)) throw new WalletError('the batch has no receipt', 'unknown');
  if (status === 500) throw new TransactionRevertedError(transactionHash);
  if (status === 200 && done === '0x1') return transactionHash.toLowerCase();
  throw new WalletError('only a part of the batch is on the chain', 'unknown');
}
