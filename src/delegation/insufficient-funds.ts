import { ChainError } from './chain-error.js';
import { NOTHING_SENT } from './wallet-errors.js';

/** The wallet does not have the coins that the network fee costs. */
export function insufficientFunds(cause?: unknown): ChainError {
  const message = `the wallet cannot pay the network fee. ${NOTHING_SENT} The service’s faucet was not asked, or did not help. Add some of the network’s native coin, then resume. If somebody else pays the fee, set checkFunds to false.`;
  return new ChainError({ code: 'insufficient_funds', outcome: 'not_sent', message }, cause);
}
