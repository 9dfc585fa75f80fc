import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import {
  ConfirmationTimeoutError,
  TransactionCancelledError,
  TransactionReplacedError,
  TransactionRevertedError,
} from '../../delegation/approval-errors.js';
import type { ChainError } from '../../delegation/chain-error.js';
import { ifReadable } from '../../delegation/reading-context.js';
import { ChainReadError, WrongChainError } from '../../delegation/wallet-errors.js';
import { decodeApprove } from '../approval/calldata.js';
import type { EvmCall } from '../approval/calls.js';
import { isHex, type Receipt, type Transaction } from '../chain/json-rpc.js';
import { chainOf } from '../wallets/switch-network.js';
import { hashOf } from '../wallets/wallet-requests.js';
import { checkNodeChain } from './check-chain.js';
import { findByNonce, isEdited, isSameCall, searchApprovals } from './find-transaction.js';
import type { EvmRun } from './plan.js';

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
      throw unreadable ?? (await timeoutError(run, call, hash, waited));
    }
    await context.sleep(plan.pollingInterval);
  }
}

/**
 * If the node never sees the transaction, the wallet or the node may have switched to another chain,
 * or the transaction was dropped. The latter is noted: only a resumed flow asks the wallet again.
 */
async function timeoutError(
  run: EvmRun,
  call: EvmCall,
  hash: string,
  waited: number,
): Promise<ChainError> {
  const { plan, context } = run;
  const actual = (await ifReadable(chainOf(plan.wallet, context))) ?? plan.chainId;
  if (actual !== plan.chainId) {
    return new WrongChainError('the wallet', String(plan.chainId), String(actual), 'unknown');
  }
  await checkNodeChain(run);
  const isGone = await isMissing(run, call, hash).catch(() => false);
  context.saveNotes({ missing: isGone ? hash : undefined });
  return new ConfirmationTimeoutError(hash, waited, isGone);
}

/**
 * Whether as many blocks as asked confirm a receipt, its own included. The nodes behind one URL can be on
 * different branches, so the height of the newest block proves nothing: each block must name the one
 * below it as its parent, down to the block of the receipt.
 */
async function hasEnoughConfirmations(
  { plan: { confirmations }, reader }: EvmRun,
  { blockNumber, blockHash }: Receipt,
): Promise<boolean> {
  let expected: string | undefined;
  const isExpected = (hash: string) => expected === undefined || equalsIgnoringCase(hash, expected);
  for (let number = blockNumber + confirmations - 1n; number > blockNumber; number--) {
    const block = await reader.blockHeader(number);
    if (block === null || !isExpected(block.hash)) return false;
    expected = block.parentHash;
  }
  return isExpected(blockHash);
}

/**
 * Checks a transaction that is not mined. Returns its hash, or the hash of the same call that
 * replaced it with another fee, or of an approval of another limit, which the comparison then reports.
 *
 * @throws TransactionReplacedError, TransactionCancelledError when something else replaced it, with enough
 * confirmations.
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
  // The nonces of another chain say nothing.
  await checkNodeChain(run);
  if (isOtherLimit(mined, call)) {
    context.report('Your wallet approved another limit.', mined.hash);
    return mined.hash;
  }
  // A reorganization can still bring back what it replaced.
  const receipt = await reader.receipt(mined.hash);
  if (receipt === null || !(await hasEnoughConfirmations(run, receipt))) return hash;
  if (isCancellation(mined)) throw new TransactionCancelledError(mined.hash);
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

/**
 * The transaction that took the place of one that the node does not know. A nonce that was only
 * expected can be that of an earlier transaction, of which the node did not know yet. So it shows no
 * failure, no cancellation and no other call: only a success of the same call counts.
 */
async function findMined(run: EvmRun, call: EvmCall): Promise<Transaction | undefined> {
  const { plan, reader, context } = run;
  const { nonce, nextNonce, sentAfter } = context.notes();
  const noted = nonce ?? nextNonce;
  if (noted === undefined || sentAfter === undefined) return undefined;
  const expectedNonce = BigInt(noted);
  const after = BigInt(sentAfter);
  if ((await reader.transactionCount(plan.owner, 'latest')) <= expectedNonce) return undefined;
  const isReplacement = (transaction: Transaction) =>
    nonce === undefined ? isSameCall(transaction, call) : transaction.nonce === expectedNonce;
  const found =
    (await searchApprovals(run, after, isReplacement)).found ??
    (await findByNonce(run, expectedNonce, after));
  if (nonce !== undefined || found === undefined) return found;
  const isSuccess = isReplacement(found) && (await reader.receipt(found.hash))?.succeeded === true;
  return isSuccess ? found : undefined;
}

/** Whether a transaction approves the same spender for an amount other than the requested one. */
function isOtherLimit({ to, input }: Transaction, call: EvmCall): boolean {
  const [asked, approved] = [decodeApprove(call.data), decodeApprove(input)];
  if (!asked?.units || !approved?.units || !equalsIgnoringCase(to, call.to)) return false;
  return approved.spender === asked.spender;
}

/** Wallets cancel by sending nothing to oneself. An account with code can also call itself, and approve so. */
function isCancellation({ from, to, value, input }: Transaction): boolean {
  return equalsIgnoringCase(to, from) && value === 0n && input === '0x';
}

/** How often the node must agree, one polling interval apart: one of several can be behind. */
const AGREEING_READS = 3;

/**
 * Whether a transaction that the wallet sent has disappeared: dropped from the mempool, or removed
 * from the chain by a reorganization. The node is asked only after an earlier run waited for it in
 * vain, or if the caller set `approveAgain`: many nodes do not know a transaction that was just sent. The
 * user of a stored flow who wants another approval (`replace`) has not said that the first one is gone.
 */
export async function hasDisappeared(run: EvmRun, call: EvmCall, hash: string): Promise<boolean> {
  const { plan, context } = run;
  const mayLookAtOnce = plan.options.approveAgain === true && !context.isStored;
  if (context.notes()['missing'] !== hash && !mayLookAtOnce) return false;
  await checkNodeChain(run);
  for (let read = 1; ; read++) {
    if (!(await isMissing(run, call, hash))) return false;
    if (read === AGREEING_READS) return true;
    await context.sleep(plan.pollingInterval);
  }
}

/**
 * Whether the node does not know a transaction, no other transaction of the account is waiting, and no
 * approval that could have replaced it is on the chain. If its nonce is used, the node must show what used
 * it, which most nodes can for 128 blocks. With `approveAgain`, it is enough that the chain does not have the
 * limit of the call.
 */
async function isMissing(run: EvmRun, call: EvmCall, hash: string): Promise<boolean> {
  const { plan, reader, context } = run;
  if ((await reader.receipt(hash)) !== null || (await reader.transaction(hash)) !== null) {
    return false;
  }
  const { nonce, nextNonce, sentAfter } = context.notes();
  const mined = await reader.transactionCount(plan.owner, 'latest');
  if ((await reader.transactionCount(plan.owner, 'pending')) > mined) return false;
  const noted = nonce ?? nextNonce;
  const used = noted !== undefined && mined > BigInt(noted) ? BigInt(noted) : undefined;
  if (sentAfter === undefined) return used === undefined;
  const after = BigInt(sentAfter);
  const expected = nextNonce === undefined ? undefined : BigInt(nextNonce);
  const isApproval = (one: Transaction) => isSameCall(one, call) || isEdited(plan, one, expected);
  const taker = used === undefined ? undefined : await findByNonce(run, used, after);
  // `confirm` reports what took its place.
  if (nonce !== undefined && taker !== undefined) return false;
  const search = await searchApprovals(run, after, isApproval);
  // A nonce that was only expected can be that of another transaction, or of one that failed.
  const isTaken =
    taker !== undefined &&
    isApproval(taker) &&
    (await reader.receipt(taker.hash))?.succeeded !== false;
  const found = isTaken ? taker : search.found;
  // The user set another limit before any node had seen the first transaction. `confirm` follows it.
  if (found !== undefined && !isSameCall(found, call)) {
    context.saveNotes({ nonce: `${found.nonce}` });
  }
  if (found !== undefined) return false;
  if (used === undefined || search.isWhole) return true;
  // Of the nonces that are used since, only this one was looked at.
  if (taker !== undefined && mined === used + 1n) return true;
  // Nobody can look any more. The user has, and the chain does not have what was asked for.
  return (
    plan.options.approveAgain === true &&
    (await reader.allowance(plan)) !== decodeApprove(call.data)?.units
  );
}
