import {
  ConfirmationTimeoutError,
  TransactionCancelledError,
  TransactionExpiredError,
  TransactionReplacedError,
  TransactionRevertedError,
} from '../../../src/delegation/approval-errors.js';
import type { DriverContext } from '../../../src/delegation/driver.js';
import { ChainReadError } from '../../../src/delegation/wallet-errors.js';
import { isMissing, isOver } from './find-approval.js';
import type { SeenTransaction } from './node.js';
import {
  CONFIRMATION_TIMEOUT_MS,
  isRequested,
  LOOKS,
  POLLING_INTERVAL_MS,
  type ToyDelegation,
} from './plan.js';
import { checkNodeChain, isFinal, isMined, readHistory, readTransaction } from './reads.js';

/** Waits until the approval, or the copy that replaced it, is in a block. */
export async function confirm(
  plan: ToyDelegation,
  context: DriverContext,
  sent: string,
): Promise<string> {
  const wait = new Wait(plan, context, sent);
  for (const start = context.now(); ; ) {
    const failure = await wait.look();
    if (wait.isConfirmed) return wait.id;
    const waited = context.now() - start;
    if (waited >= CONFIRMATION_TIMEOUT_MS) throw failure ?? (await timeout(wait, sent, waited));
    await context.sleep(POLLING_INTERVAL_MS);
  }
}

async function timeout({ plan, context, id }: Wait, sent: string, waited: number): Promise<Error> {
  await checkNodeChain(plan, context, 'unknown');
  const isGone = await isMissing(plan, context, id).catch(() => false);
  context.saveNotes({ missing: isGone ? sent : undefined });
  return new ConfirmationTimeoutError(id, waited, isGone);
}

class Wait {
  isConfirmed = false;
  #expiredLooks = 0;
  #unknownLooks = 0;

  constructor(
    readonly plan: ToyDelegation,
    readonly context: DriverContext,
    public id: string,
  ) {}

  /** Looks once. Returns the error of a node that could not be read. */
  async look(): Promise<unknown> {
    try {
      await this.#look();
      return undefined;
    } catch (error) {
      if (error instanceof ChainReadError) return error;
      throw error;
    }
  }

  async #look(): Promise<void> {
    const { plan, context } = this;
    const { found, height } = await readTransaction(plan, context, this.id);
    if (found === undefined) return this.#follow();
    this.#expiredLooks = 0;
    this.#unknownLooks = 0;
    context.saveNotes({ nonce: String(found.nonce), missing: undefined });
    if (!isMined(found)) return;
    if (found.succeeded) this.isConfirmed = true;
    else if (isFinal(found, height)) throw new TransactionRevertedError(this.id);
  }

  /** Returns the transaction that replaced one that the node does not know. */
  async #follow(): Promise<void> {
    const { plan, context } = this;
    const { height, transactions } = await readHistory(plan, context);
    const { nonce } = context.notes();
    const place = nonce === undefined ? undefined : Number(nonce);
    this.#unknownLooks++;
    const copy =
      transactions.findLast((one) => isRequested(plan, one.approve) && isAt(one, place)) ??
      transactions.findLast((one) => this.#isOwnLimit(one, height, place));
    if (copy !== undefined) {
      if (copy.id !== this.id) context.report('Your wallet replaced the transaction.', copy.id);
      this.id = copy.id;
      return;
    }
    const other = transactions.find((one) => one.nonce === place && isFinal(one, height));
    if (other !== undefined) {
      if (other.approve === undefined) throw new TransactionCancelledError(other.id);
      throw new TransactionReplacedError(other.id);
    }
    this.#expiredLooks = isOver(context, height) ? this.#expiredLooks + 1 : 0;
    if (this.#expiredLooks >= LOOKS) throw new TransactionExpiredError(this.id);
  }

  /** The user can replace the approval with one of another limit. Without a nonce one look is not enough. */
  #isOwnLimit(one: SeenTransaction, height: number, place: number | undefined): boolean {
    if (one.approve?.spender !== this.plan.spender) return false;
    return place === undefined
      ? isFinal(one, height) && this.#unknownLooks >= LOOKS
      : one.nonce === place;
  }
}

/** Whether a transaction has the nonce of the approval, if that nonce is known. */
function isAt({ nonce }: SeenTransaction, place: number | undefined): boolean {
  return place === undefined || nonce === place;
}
