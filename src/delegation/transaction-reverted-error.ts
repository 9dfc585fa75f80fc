import { ChainError } from './chain-error.js';

/** The effect of a failed approval, and what to do next. */
export const FEE_ONLY = 'The fee was paid, and nothing was approved. Resume to approve again.';

// In a file of its own, because `/evm` needs it before a flow is loaded.
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
