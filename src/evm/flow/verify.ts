import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { AllowanceRacedError } from '../../delegation/approval-errors.js';
import { throwMismatch } from '../../delegation/changed-limit.js';
import {
  APPROVAL_TOPIC,
  addressTopic,
  decodeApprove,
  startsWithCall,
} from '../approval/calldata.js';
import { approveCall } from '../approval/calls.js';
import { UNLIMITED } from '../approval/spending-limit.js';
import type { Log, Receipt, Transaction } from '../chain/json-rpc.js';
import { checkNodeChain } from './check-chain.js';
import type { EvmPlan, EvmRun } from './plan.js';
import { readSettled } from './read-settled.js';

/**
 * Compares the executed transaction with the request, and checks the remaining allowance.
 *
 * @param receipt the receipt, if it was just read
 * @throws ApprovalMismatchError naming what differs.
 * @throws AllowanceRacedError when another transaction changed the allowance since.
 */
export async function verify(run: EvmRun, hash: string, receipt?: Receipt): Promise<void> {
  await compare(run, hash, receipt);
  await checkAllowance(run, hash);
}

/**
 * Compares the executed transaction with the request: a page or wallet that was tampered with
 * could approve another spender unnoticed.
 *
 * @throws ApprovalMismatchError naming what differs.
 */
export async function compare(run: EvmRun, hash: string, known?: Receipt): Promise<void> {
  const { plan, reader, context } = run;
  const settled = <T>(read: () => Promise<T>) => readSettled(run, read, (value) => value !== null);
  const transaction = await settled(() => reader.transaction(hash));
  const receipt = known ?? (await settled(() => reader.receipt(hash)));
  // Hashes differ between chains, so a node of another chain does not know this one.
  if (transaction === null || receipt === null) await checkNodeChain(run);
  const field = difference(plan, transaction, receipt);
  if (field === undefined) return;
  const approved = field === 'amount' ? decodeApprove(transaction?.input ?? '')?.units : undefined;
  const { decimals, largest } = plan;
  throwMismatch(context, hash, { field, approved }, { decimals, largest });
}

function difference(
  plan: EvmPlan,
  transaction: Transaction | null,
  receipt: Receipt | null,
): string | undefined {
  const call = approveCall(plan);
  if (transaction === null || receipt?.succeeded !== true) return 'transaction';
  if (!equalsIgnoringCase(transaction.from, plan.owner)) return 'sender';
  if (!equalsIgnoringCase(transaction.to, call.to)) return 'token';
  if (transaction.value !== call.value) return 'value';
  if (!startsWithCall(transaction.input, call.data))
    return calldataDifference(plan, transaction.input);
  return receipt.logs.some((log) => isApproval(plan, log)) ? undefined : 'event';
}

function calldataDifference({ spender }: EvmPlan, calldata: string): string {
  const approve = decodeApprove(calldata);
  if (approve === undefined) return 'calldata';
  return approve.spender === spender ? 'amount' : 'spender';
}

/** Whether an event is exactly this approval. */
function isApproval(plan: EvmPlan, { address, topics, data }: Log): boolean {
  const expected = [APPROVAL_TOPIC, addressTopic(plan.owner), addressTopic(plan.spender)];
  return (
    equalsIgnoringCase(address, plan.token) &&
    topics.length === expected.length &&
    expected.every((topic, index) => equalsIgnoringCase(topics[index], topic)) &&
    data.length === 66 &&
    BigInt(data) === plan.allowance
  );
}

/**
 * If more than the approved amount is left, or nothing, another approval came in between. Less can be
 * left, because the service may have registered the wallet in an earlier run.
 */
async function checkAllowance(run: EvmRun, hash: string): Promise<void> {
  const { plan, reader, context } = run;
  const { allowance } = plan;
  // A revoked limit must be zero; of any other one something is left.
  const isLeft = (units: bigint) => units <= allowance && (units > 0n || allowance === 0n);
  const read = () => reader.allowance(plan);
  const actual = await readSettled(run, read, isLeft);
  if (!isLeft(actual)) throw new AllowanceRacedError(allowance, actual, 'executed', hash);
  if (actual < allowance && allowance !== UNLIMITED) {
    context.report('Part of the limit is already spent.', hash);
  }
}
