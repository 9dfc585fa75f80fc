// The problems that the previews of both kinds of chain report.

/** The wallet cannot pay the fee. */
export const NO_GAS = {
  code: 'no-gas',
  isBlocking: true,
  message: 'The wallet cannot pay the network fee.',
} as const;

/** The wallet has fewer tokens than the limit. */
export const BALANCE_BELOW_AMOUNT = {
  code: 'balance-below-amount',
  isBlocking: false,
  message: 'The wallet has less than the limit. Only what it has can be spent.',
} as const;
