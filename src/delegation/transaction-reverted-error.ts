import { ChainError } from './chain-error.js';

/** What a failed approval cost, and what to do next. */
export const FEE_ONLY = 'The fee was paid, and nothing was approved. Resume to approve again.';

// Apart from the other errors of an approval: `/evm` needs it before any flow is loaded.
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
