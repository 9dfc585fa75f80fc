import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import {
  TransactionCancelledError,
  TransactionReplacedError,
} from '../../delegation/approval-errors.js';
import { ifReadable } from '../../delegation/if-readable.js';
import type { EvmCall } from '../approval/calls.js';
import { decodeApprove } from '../approval/on-chain.js';
import { isHex } from '../chain/json-rpc.js';
import type { Transaction } from '../chain/responses.js';
import { hashOf } from '../wallets/wallet-requests.js';
import type { EvmRun } from './evm-run.js';
import { findByNonce, isSameCall } from './mined-transaction.js';
import { searchApprovals } from './search-approvals.js';

/**
 * Checks a transaction that is not mined. Returns its hash, or the hash of the same call that
 * replaced it with another fee, or of an approval of another limit, which the comparison then reports.
 *
 * @throws TransactionReplacedError, TransactionCancelledError when something else replaced it.
 */
export async function followReplacement(run: EvmRun, call: EvmCall, hash: string): Promise<string> {
  const { reader, context } = run;
  const pending = await reader.transaction(hash);
  if (pending !== null) {
    // Once it is replaced, no node knows it any more: only its nonce is left to find it by.
    context.saveNotes({ nonce: pending.nonce.toString(), missing: undefined });
    return hash;
  }
  const mined = await findMined(run, call);
  if (mined === undefined) await sendAgain(run, hash);
  if (mined === undefined || equalsIgnoringCase(mined.hash, hash)) return hash;
  if (isSameCall(mined, call)) {
    context.report('Your wallet sped up the transaction.', mined.hash);
    return mined.hash;
  }
  if (isCancellation(mined)) throw new TransactionCancelledError(mined.hash);
  // A nonce that was only expected can belong to another transaction of the account.
  if (context.notes()['nonce'] === undefined) return hash;
  if (isOtherLimit(mined, call)) {
    context.report('Your wallet approved another limit.', mined.hash);
    return mined.hash;
  }
  throw new TransactionReplacedError(mined.hash);
}

/** Sends the same signed transaction again: nodes drop some, and it can be mined only once. */
async function sendAgain({ plan, context }: EvmRun, hash: string): Promise<void> {
  const { wallet } = plan;
  const { raw } = context.notes();
  if (!isHex(raw) || hashOf(raw) !== hash || wallet.sendSigned === undefined) return;
  const send = async () => wallet.sendSigned?.(raw);
  await ifReadable(context.read('sending the transaction again', send));
}

/** The transaction that took the place of one that the node does not know. */
async function findMined(run: EvmRun, call: EvmCall): Promise<Transaction | undefined> {
  const { plan, reader, context } = run;
  const { nonce, nextNonce, sentAfter } = context.notes();
  const noted = nonce ?? nextNonce;
  if (noted === undefined || sentAfter === undefined) return undefined;
  const expectedNonce = BigInt(noted);
  const after = BigInt(sentAfter);
  if ((await reader.transactionCount(plan.owner, 'latest')) <= expectedNonce) return undefined;
  const isReplacement = (transaction: Transaction) =>
    isSameCall(transaction, call) && (nonce === undefined || transaction.nonce === expectedNonce);
  return (
    (await searchApprovals(run, after, isReplacement)) ??
    (await findByNonce(run, expectedNonce, after))
  );
}

/** Whether a transaction approves the same spender for an amount other than the requested one. */
function isOtherLimit({ to, input }: Transaction, call: EvmCall): boolean {
  const [asked, approved] = [decodeApprove(call.data), decodeApprove(input)];
  if (!asked?.units || !approved?.units || !equalsIgnoringCase(to, call.to)) return false;
  return approved.spender === asked.spender;
}

/** Wallets cancel by sending nothing to oneself. */
function isCancellation({ from, to, value }: Transaction): boolean {
  return equalsIgnoringCase(to, from) && value === 0n;
}
