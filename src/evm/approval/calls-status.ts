import { TransactionRevertedError } from '../../delegation/approval-errors.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { isHash } from '../chain/json-rpc.js';

/** The fields read from the response to `wallet_getCallsStatus` (EIP-5792). */
export type CallsStatus = {
  /**
   * Version 2: 1xx pending, 2xx done, 4xx not sent, 5xx reverted, 6xx reverted in part. Version 1:
   * `PENDING`, or `CONFIRMED` with a receipt of each transaction, which shows whether it succeeded.
   */
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
  const result = resultOf(status);
  if (result === 'pending') return undefined;
  if (result === 'not-sent') throw new WalletError('it did not send the batch', 'not_sent');
  const list: readonly unknown[] = Array.isArray(receipts) ? receipts : [];
  const { transactionHash }: Receipt = Object(list.at(-1));
  if (!isHash(transactionHash)) throw new WalletError('the batch has no receipt', 'unknown');
  const haveAll = (status: string) => list.every((one) => Object(one).status === status);
  // Version 1 reports that the batch was executed, and only the receipts show how that ended.
  const hasReverted = result === 'reverted' || (result === 'executed' && haveAll(FAILED));
  if (hasReverted) throw new TransactionRevertedError(transactionHash);
  const isDone = result === 'done' ? Object(list.at(-1)).status === SUCCEEDED : haveAll(SUCCEEDED);
  if ((result === 'done' || result === 'executed') && isDone) return transactionHash.toLowerCase();
  throw new WalletError('only a part of the batch is on the chain', 'unknown');
}

type Receipt = { readonly transactionHash?: unknown };

const SUCCEEDED = '0x1';
const FAILED = '0x0';

/** The hundreds of a status of version 2; the rest of the number is for the wallet. */
const RESULTS = new Map([
  [1, 'pending'],
  [2, 'done'],
  [4, 'not-sent'],
  [5, 'reverted'],
] as const);

/** The result of a batch; `undefined` if it was executed in part, or if the status is unknown. */
function resultOf(status: unknown) {
  if (status === 'PENDING') return 'pending';
  if (status === 'CONFIRMED') return 'executed';
  if (typeof status !== 'number' || !Number.isInteger(status)) return undefined;
  return RESULTS.get(Math.floor(status / 100) as 1 | 2 | 4 | 5);
}
