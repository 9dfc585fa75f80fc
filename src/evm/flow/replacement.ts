import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import {
  TransactionCancelledError,
  TransactionReplacedError,
} from '../../delegation/approval-errors.js';
import type { DriverContext } from '../../delegation/driver.js';
import type { EvmCall } from '../approval/calls.js';
import type { ChainReader } from '../chain/reader.js';
import type { Transaction } from '../chain/responses.js';
import type { EvmPlan } from './plan.js';

/**
 * Checks a transaction that is not mined. Returns its hash, or the hash of the same call that
 * replaced it with another fee.
 *
 * @throws TransactionReplacedError, TransactionCancelledError when something else replaced it.
 */
export async function followReplacement(
  plan: EvmPlan,
  reader: ChainReader,
  context: DriverContext,
  call: EvmCall,
  hash: string,
): Promise<string> {
  const pending = await reader.transaction(hash);
  if (pending !== null) {
    // Once it is replaced, no node knows it any more: only its nonce is left to find it by.
    context.saveNotes({ nonce: pending.nonce.toString() });
    return hash;
  }
  const { nonce, sentAfter } = context.notes();
  if (nonce === undefined || sentAfter === undefined) return hash;
  const place = BigInt(nonce);
  if ((await reader.transactionCount(plan.owner, 'latest')) <= place) return hash;
  const mined = await findMined(plan, reader, place, BigInt(sentAfter));
  if (mined === undefined || equalsIgnoringCase(mined.hash, hash)) return hash;
  if (isSameCall(mined, call)) {
    context.report('Your wallet sped up the transaction.', mined.hash);
    return mined.hash;
  }
  throw isCancellation(mined)
    ? new TransactionCancelledError(mined.hash)
    : new TransactionReplacedError(mined.hash);
}

/** The transaction with a nonce of the account, searched between a block and the latest. */
async function findMined(
  { owner }: EvmPlan,
  reader: ChainReader,
  place: bigint,
  after: bigint,
): Promise<Transaction | undefined> {
  let before = after;
  let holds = await reader.blockNumber();
  while (holds - before > 1n) {
    const middle = (before + holds) / 2n;
    if ((await reader.transactionCount(owner, middle)) > place) holds = middle;
    else before = middle;
  }
  const { transactions } = await reader.block(holds);
  return transactions.find(({ from, nonce }) => equalsIgnoringCase(from, owner) && nonce === place);
}

function isSameCall({ to, input, value }: Transaction, call: EvmCall): boolean {
  return (
    equalsIgnoringCase(to, call.to) && equalsIgnoringCase(input, call.data) && value === call.value
  );
}

/** Wallets cancel by sending nothing to oneself. */
function isCancellation({ from, to, value }: Transaction): boolean {
  return equalsIgnoringCase(to, from) && value === 0n;
}
