import { isCardPlatformError, type Outcome } from '../errors/index.js';
import { ChainError } from './chain-error.js';

/** The effect of a failed approval, and what to do next. */
const FEE_ONLY = 'The fee was paid, and nothing was approved. Resume to approve again.';

/** The transaction was mined and failed. */
export class TransactionRevertedError extends ChainError {
  override readonly name = 'TransactionRevertedError';

  constructor(transactionId: string) {
    super({
      code: 'transaction_reverted',
      outcome: 'rejected',
      message: `the transaction failed on the chain. ${FEE_ONLY}`,
      transactionId,
    });
  }
}

/** The user replaced the transaction in the wallet with a different one. */
export class TransactionReplacedError extends ChainError {
  override readonly name = 'TransactionReplacedError';

  constructor(transactionId: string) {
    super({
      code: 'transaction_replaced',
      outcome: 'unknown',
      // It may have approved in another way: a resumed flow reads the chain before it asks again.
      next: 'retry',
      message:
        'another transaction of the wallet replaced the approval, and its fee was paid. Resume to approve again, unless chain and service already have the limit.',
      transactionId,
    });
  }
}

/** The user cancelled the transaction in the wallet after it was sent. */
export class TransactionCancelledError extends ChainError {
  override readonly name = 'TransactionCancelledError';

  constructor(transactionId: string) {
    super({
      code: 'transaction_cancelled',
      outcome: 'rejected',
      message: `the user cancelled the approval in the wallet. ${FEE_ONLY}`,
      transactionId,
    });
  }
}

/** The transaction can no longer be mined, and it is not on the chain. */
export class TransactionExpiredError extends ChainError {
  override readonly name = 'TransactionExpiredError';

  constructor(transactionId: string, cause?: unknown) {
    super(
      {
        code: 'transaction_expired',
        outcome: 'not_sent',
        message:
          'the approval expired before it reached the chain. No fee was paid, and nothing was approved. Resume to approve again.',
        transactionId,
      },
      cause,
    );
  }
}

/** Whether an error of a request, to the wallet or the service, means that it had no effect. */
export function hadNoEffect(error: unknown): boolean {
  return (
    isCardPlatformError(error) && (error.outcome === 'not_sent' || error.outcome === 'rejected')
  );
}

/**
 * Whether an error means that a sent transaction had no effect, so that the wallet can be asked
 * again. Only the chain can show that: an error of a node or a clock never counts, whatever its
 * outcome.
 */
export function endedWithoutApproval(error: unknown): boolean {
  return (
    error instanceof TransactionRevertedError ||
    error instanceof TransactionReplacedError ||
    error instanceof TransactionCancelledError ||
    error instanceof TransactionExpiredError
  );
}

/** The transaction was not confirmed in time. It may still be. */
export class ConfirmationTimeoutError extends ChainError {
  override readonly name = 'ConfirmationTimeoutError';

  constructor(transactionId: string, waitedMs: number, isMissing = false) {
    const next = isMissing
      ? 'The network does not know it any more. Resume: if it is still unknown then, the wallet is asked again.'
      : 'It may still be confirmed. Resume to keep waiting; do not approve again.';
    super({
      code: 'confirmation_timeout',
      outcome: 'unknown',
      message: `the approval is not confirmed after ${waitedMs} ms. ${next}`,
      transactionId,
    });
  }
}

/** It is unknown whether the wallet sent an approval. */
export class ApprovalUnknownError extends ChainError {
  override readonly name = 'ApprovalUnknownError';

  constructor(found = 'no approval was found on the chain') {
    super({
      code: 'approval_unknown',
      outcome: 'unknown',
      message: `the response of the wallet to the approval request was lost, and ${found}. Resume later, or with approveAgain if nothing was sent.`,
    });
  }
}

/** The limit that a wallet approved in place of the requested one, in units of the currency. */
type ApprovedLimit = { readonly amount: string; readonly canContinue: boolean };

/** The mined transaction is not the requested approval. This run submitted nothing to the service. */
export class ApprovalMismatchError extends ChainError {
  override readonly name = 'ApprovalMismatchError';
  /** The field that differs, for example `spender`. */
  readonly field: string;
  /** With the field `amount`: the amount that the wallet approved, in units of the currency. */
  readonly approvedAmount: string | undefined;

  /** @param approved - with the field `amount`: the limit, and whether a resumed delegation can use it */
  constructor(field: string, transactionId: string, approved?: ApprovedLimit) {
    const isContinued = field === 'transaction' || approved?.canContinue === true;
    super({
      code: 'approval_mismatch',
      outcome: field === 'transaction' ? 'unknown' : 'executed',
      ...(isContinued ? { next: 'resume' } : approved !== undefined ? { next: 'replace' } : {}),
      message: `${mismatch(field, approved)} This run did not register it.${adviceFor(field, approved)}`,
      transactionId,
    });
    this.field = field;
    this.approvedAmount = approved?.amount;
  }
}

function mismatch(field: string, approved: ApprovedLimit | undefined): string {
  if (field === 'transaction') return 'the approval is not on the chain, or it failed there.';
  if (approved !== undefined)
    return `the wallet approved ${approved.amount}, not the requested amount.`;
  return `the transaction on the chain is not the requested approval (${field} differs).`;
}

/** Advises to revoke only what can harm the user. */
function adviceFor(field: string, approved: ApprovedLimit | undefined): string {
  if (field === 'transaction') return ' Resume later to look for it again.';
  if (approved === undefined) return ' If it approves another spender, revoke it at once.';
  if (!approved.canContinue) return ' No delegation can have that limit: start again.';
  return ' If the user changed the limit in the wallet, resume with that amount, or start again. Otherwise revoke it.';
}

/** Another transaction changed the allowance while the flow was running. */
export class AllowanceRacedError extends ChainError {
  override readonly name = 'AllowanceRacedError';
  /** The allowance that should have been found, in base units. */
  readonly expected: string;
  /** The allowance that was found, in base units. */
  readonly actual: string;

  constructor(expected: bigint, actual: bigint, outcome: Outcome, transactionId?: string) {
    super({
      code: 'allowance_raced',
      outcome,
      message:
        'another transaction changed the allowance. This run registered nothing. Check the transactions of the wallet before you start again.',
      transactionId,
    });
    this.expected = expected.toString();
    this.actual = actual.toString();
  }
}
