import { mayUseFaucet } from './network-fee.js';
import type { DelegationOptions } from './options.js';

// The problems that the previews of both kinds of chain report.

/**
 * The wallet cannot pay the fee. That does not stop a flow that asks the faucet, or one whose fee somebody
 * else pays.
 */
export function noGas(
  options: Pick<DelegationOptions, 'faucet' | 'checkFunds'>,
  network: string,
): { code: 'no-gas'; isBlocking: boolean; message: string } {
  const isHelped = options.checkFunds === false || mayUseFaucet(options, network);
  return {
    code: 'no-gas',
    isBlocking: !isHelped,
    message: 'The wallet cannot pay the network fee.',
  };
}

/** The wallet has fewer tokens than the limit. */
export const BALANCE_BELOW_AMOUNT = {
  code: 'balance-below-amount',
  isBlocking: false,
  message: 'The wallet has less than the limit. Only what it has can be spent.',
} as const;
