import { hexToBytes } from '@noble/hashes/utils.js';
import {
  ConfirmationTimeoutError,
  TransactionExpiredError,
  TransactionRevertedError,
} from '../../delegation/approval-errors.js';
import type { DriverContext } from '../../delegation/driver.js';
import { isChainError } from '../../delegation/is-chain-error.js';
import { ifReadable } from '../../delegation/reading-context.js';
import type { SolanaSignatureStatus } from '../connection.js';
import { type Expiry, readExpiry } from './expiry.js';
import type { SolanaPlan } from './plan.js';
import { checkStatus, readAgain } from './read-chain.js';
import { refusalOf } from './refusals.js';

const POLLING_INTERVAL_MS = 2_000;

type Status = SolanaSignatureStatus | undefined;

async function readStatus(plan: SolanaPlan, context: DriverContext, signature: string) {
  const config = { searchTransactionHistory: true };
  return context.read('the transaction', async () =>
    checkStatus(await plan.options.node.getSignatureStatuses([signature], config)),
  );
}

/** A look at a transaction that a node did not know. */
type SecondLook = {
  /** Whether the node has not got it although it has expired. */
  readonly isGone: boolean;
  /** Whether slots show that the node has seen every block in question. Without them, it may lag. */
  readonly isProven: boolean;
  readonly status: Status;
};

/**
 * Looks whether a transaction that a node does not know can never execute. A node that has not reached
 * the slot in which the approval had expired proves nothing.
 */
async function lookAgain(
  plan: SolanaPlan,
  context: DriverContext,
  signature: string,
  { isOver, slot }: Expiry,
): Promise<SecondLook> {
  if (!isOver) return { isGone: false, isProven: false, status: undefined };
  // The status that was read before the height may be older than the last block.
  const { status, slot: reached } = await readStatus(plan, context, signature);
  const isProven = slot !== undefined && reached !== undefined;
  const isBehind = isProven && reached < slot;
  return { isGone: status === undefined && !isBehind, isProven, status };
}

function hasCommitment(status: SolanaSignatureStatus, plan: SolanaPlan): boolean {
  const { confirmationStatus } = status;
  // A fork can undo a failure as well as a success.
  if (status.err && confirmationStatus === 'confirmed') return true;
  return confirmationStatus === 'finalized' || confirmationStatus === plan.commitment;
}

/**
 * Sends the same signed transaction again: nodes drop some, and it can execute only once. Returns the
 * reason if the node refuses it. A refusal proves nothing, because the first one may have arrived.
 */
async function rebroadcast(plan: SolanaPlan, context: DriverContext): Promise<unknown> {
  const { transaction } = context.notes();
  if (transaction === undefined) return undefined;
  const signed = hexToBytes(transaction);
  let refusal: unknown;
  const { commitment: preflightCommitment } = plan;
  const options = { maxRetries: 0, preflightCommitment };
  const send = () =>
    plan.options.node.sendRawTransaction(signed, options).catch((error) => {
      refusal = refusalOf(error);
      throw error;
    });
  await context.read('sending the approval again', send).catch(() => {});
  return refusal;
}

/**
 * Whether a sent approval can never execute any more. One look is enough where slots show that the
 * node has seen every block in question; otherwise `confirm` decides.
 */
export async function hasDisappeared(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<boolean> {
  const look = async () => {
    const { status } = await readStatus(plan, context, signature);
    if (status !== undefined) return false;
    const found = await lookAgain(plan, context, signature, await readExpiry(plan, context));
    return found.isGone && found.isProven;
  };
  // A node that cannot be read now may be read while the flow waits for the confirmation.
  return (await ifReadable(look())) ?? false;
}

/**
 * The signature of an approval that an earlier run signed and counted as refused, if a node knows it
 * nevertheless. Whatever a node said, the chain decides before the wallet is asked again.
 */
export async function findRestored(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<string | undefined> {
  const { signature } = context.notes();
  if (signature === undefined) return undefined;
  const read = () => readStatus(plan, context, signature);
  const { status } = await readAgain(context, { what: 'the transaction', read });
  return status === undefined || status.err ? undefined : signature;
}

/** Waits until the chain has executed the approval. */
export async function confirm(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<string> {
  const { confirmationTimeout: limit } = plan;
  const startedAt = context.now();
  const poller = new StatusPoller(plan, signature, context);
  for (;;) {
    const failure = await poller.poll();
    if (poller.isConfirmed) return signature;
    if (context.now() - startedAt >= limit) {
      throw failure ?? new ConfirmationTimeoutError(signature, limit);
    }
    await context.sleep(POLLING_INTERVAL_MS);
  }
}

/** Polls the status of one transaction, and keeps what earlier polls have shown. */
class StatusPoller {
  isConfirmed = false;
  #wasGone = false;
  #refusal: unknown;

  constructor(
    readonly plan: SolanaPlan,
    readonly signature: string,
    readonly context: DriverContext,
  ) {}

  /** Polls once. Returns the error of a node that could not be read: the next poll may succeed. */
  async poll(): Promise<unknown> {
    try {
      await this.#readOnce();
      return undefined;
    } catch (error) {
      if (!isChainError(error, 'chain_unreadable')) throw error;
      return error;
    }
  }

  async #readOnce(): Promise<void> {
    const { plan, context, signature } = this;
    const { status } = await readStatus(plan, context, signature);
    if (status !== undefined) return this.#judge(status);
    const expiry = await readExpiry(plan, context);
    const found = await lookAgain(plan, context, signature, expiry);
    if (found.status !== undefined) return this.#judge(found.status);
    // Without slots, only the second poll in a row counts.
    if (found.isGone && (this.#wasGone || found.isProven)) {
      throw new TransactionExpiredError(signature, this.#refusal);
    }
    this.#wasGone = found.isGone;
    this.#refusal = (await rebroadcast(plan, context)) ?? this.#refusal;
  }

  #judge(status: SolanaSignatureStatus): void {
    if (!hasCommitment(status, this.plan)) return;
    if (status.err) throw new TransactionRevertedError(this.signature);
    this.isConfirmed = true;
  }
}
