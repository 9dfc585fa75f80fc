import { ChainError } from '../../delegation/index.js';

/** The wallet holds too little of the network's own coin for the fee. */
export class InsufficientFundsError extends ChainError {
  override readonly name = 'InsufficientFundsError';

  constructor(cause?: unknown) {
    super(
      {
        code: 'insufficient_funds',
        outcome: 'not_sent',
        message:
          'the wallet cannot pay the network fee. Nothing was sent. Add some of the network’s own coin, or ask the faucet, then resume.',
      },
      cause,
    );
  }
}
