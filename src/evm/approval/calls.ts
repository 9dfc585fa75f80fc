import { isObject } from '../../contract/formats/is-object.js';
import { TransactionRevertedError } from '../../delegation/approval-errors.js';
import { invalid, requirePositiveInteger } from '../../delegation/check-values.js';
import { WalletError } from '../../delegation/wallet-errors.js';
import { isHash } from '../chain/json-rpc.js';
import type { EvmAsset } from '../networks.js';
import { encodeApprove } from './calldata.js';
import { type EvmSpendingLimit, planApproval, planSpender } from './spending-limit.js';

/** One contract call as plain data, which any wallet library can send. */
export type EvmCall = {
  /** The contract that is called. */
  readonly to: `0x${string}`;
  /** Calldata. */
  readonly data: `0x${string}`;
  /** Wei to send along: always 0 here. */
  readonly value: bigint;
  /** The chain it is meant for. */
  readonly chainId: number;
};

/**
 * Builds the calls that set a spending limit, in order: one `approve`, preceded by an `approve` of
 * zero if the token requires it. Send them one by one, each confirmed before the next, or as one
 * batch (`toSendCallsParams`).
 *
 * @throws RequestValidationError when a name, an address, `amount`, `cap` or `currentAllowance` is
 * invalid.
 *
 * @example
 * ```ts
 * import { buildApprovalCalls } from 'card-platform-sdk/evm';
 *
 * const calls = buildApprovalCalls({
 *   network: 'ethereum',
 *   currency: 'usdt',
 *   spender: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
 *   amount: '100.5',
 *   currentAllowance: 0n,
 * });
 * ```
 */
export function buildApprovalCalls(
  limit: EvmSpendingLimit & {
    /**
     * The current allowance in base units (`readAllowance`). Without it, a token that requires a
     * reset is always reset.
     */
    currentAllowance?: bigint | undefined;
  },
): EvmCall[] {
  const plan = planApproval(limit);
  const { currentAllowance: current } = limit;
  if (current !== undefined && (typeof current !== 'bigint' || current < 0n)) {
    invalid('currentAllowance', 'must be a bigint that is not negative');
  }
  return approveCalls(plan, plan.approvesOnlyFromZero && current !== 0n);
}

/**
 * Builds the calls that revoke a spending limit: one `approve` of zero.
 *
 * @throws RequestValidationError when a name or an address is invalid.
 *
 * @example
 * ```ts
 * import { buildRevokeCalls } from 'card-platform-sdk/evm';
 *
 * const calls = buildRevokeCalls({
 *   network: 'linea',
 *   currency: 'usdc',
 *   spender: '0x9D85ca56217D2bb651b00f15e694EB7E713637D4',
 * });
 * ```
 */
export function buildRevokeCalls(limit: EvmAsset & { spender: string }): EvmCall[] {
  return [approveCall({ ...planSpender(limit), allowance: 0n })];
}

type ApproveInput = { chainId: number; token: `0x${string}`; spender: string; allowance: bigint };

/** The `approve` of a limit, preceded by one of zero if the token requires it. */
export function approveCalls(plan: ApproveInput, needsReset: boolean): EvmCall[] {
  return needsReset ? [approveCall(plan, 0n), approveCall(plan)] : [approveCall(plan)];
}

/** One `approve` of the plan's token. */
export function approveCall(plan: ApproveInput, units = plan.allowance): EvmCall {
  const { chainId, token, spender } = plan;
  return { to: token, data: encodeApprove(spender, units), value: 0n, chainId };
}

/** The parameter of `wallet_sendCalls` (EIP-5792), as JSON. */
export type SendCallsParams = {
  readonly version: '2.0.0';
  readonly chainId: `0x${string}`;
  readonly from: string;
  readonly atomicRequired: boolean;
  readonly calls: readonly { to: `0x${string}`; data: `0x${string}`; value: '0x0' }[];
  /** What else the wallet should do, for example `paymasterService`. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
};

/**
 * Converts calls to one batch for a wallet that supports EIP-5792. The batch is atomic: a reset
 * without the approval would leave the card without a limit. The service accepts the hash of one
 * mined `approve` by the wallet itself, so check the receipt of the batch before you use it.
 *
 * @param capabilities passed to the wallet unchanged, for example `paymasterService` (ERC-7677).
 *   The response to `wallet_getCapabilities` lists the wallet's capabilities; the wallet refuses
 *   others unless they are marked `optional`.
 * @throws RequestValidationError when there are no calls, when they are for different chains, and
 *   for `capabilities` that are not an object.
 *
 * @example
 * ```ts
 * import { type EvmCall, toSendCallsParams } from 'card-platform-sdk/evm';
 *
 * declare const provider: { request(args: { method: string; params: unknown }): Promise<unknown> };
 *
 * function send(calls: readonly EvmCall[], from: string) {
 *   return provider.request({ method: 'wallet_sendCalls', params: [toSendCallsParams(calls, from)] });
 * }
 * ```
 */
export function toSendCallsParams(
  calls: readonly EvmCall[],
  from: string,
  capabilities?: Readonly<Record<string, unknown>>,
): SendCallsParams {
  const chainId = calls?.[0]?.chainId ?? invalid('calls', 'must not be empty');
  requirePositiveInteger('calls[0].chainId', chainId);
  if (calls.some((call) => call.chainId !== chainId)) invalid('calls', 'must be for one chain');
  if (capabilities !== undefined && !isObject(capabilities)) {
    invalid('capabilities', 'must be an object');
  }
  return {
    version: '2.0.0',
    chainId: `0x${chainId.toString(16)}`,
    from,
    atomicRequired: true,
    calls: calls.map(({ to, data }) => ({ to, data, value: '0x0' })),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
}

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
 * Compare the transaction with `buildApprovalCalls` before you submit it. The contract asks
 * for the hash of the `approve` call, and does not say whether a batch in one transaction counts.
 *
 * @throws WalletError when the wallet did not send the batch (`not_sent`), executed only a part of
 * it, or returned no hash or an unknown status (`unknown`).
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
