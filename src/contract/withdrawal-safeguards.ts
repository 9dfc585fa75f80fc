import { hasEvmForm } from './formats/evm-checksum.js';
import { equalsIgnoringCase } from './formats/ignore-case.js';
import { knownCurrency } from './lists.js';
import { MEMO_CURRENCIES, needsMemo, recipientProblem, type Withdrawal } from './recipients.js';
import type { Safeguard } from './safeguard.js';

/** Refuses an address that cannot receive the currency: money that is sent there is lost. */
export const recipientFormat: Safeguard = {
  path: 'recipientAddress',
  rule: 'From an EVM or Solana address, the recipient of usdc and usdt is an address of the same kind, with a valid EIP-55 checksum; the recipient of sol is a Solana address; never the zero address.',
  problem: (input, { addressFormats }) => recipientProblem(input, addressFormats),
};

/** Refuses a withdrawal without the memo that its network needs. `null` states that there is none. */
export const recipientMemo: Safeguard = {
  path: 'recipientMemo',
  rule: `Required for ${MEMO_CURRENCIES.join(' and ')}, from an XRP or Stellar address, and with a sourceMemo.`,
  problem: (input, { addressFormats }) =>
    input['recipientMemo'] === undefined && needsMemo(input, addressFormats)
      ? 'must be given for this network: the memo, or null for a recipient without one'
      : undefined,
};

function isSameAddress(one: string, other: unknown): boolean {
  return hasEvmForm(one) ? equalsIgnoringCase(other, one) : other === one;
}

/** Refuses a withdrawal to its source. Wallets with the same address differ by their memos. */
export const recipientIsNotSource: Safeguard = {
  path: 'recipientAddress',
  rule: 'Not the source address, unless the memos differ.',
  problem({ recipientAddress, recipientMemo, sourceAddress, sourceMemo }) {
    if (typeof recipientAddress !== 'string' || !isSameAddress(recipientAddress, sourceAddress)) {
      return undefined;
    }
    const isAnotherMemo = typeof recipientMemo === 'string' && recipientMemo !== sourceMemo;
    return isAnotherMemo ? undefined : 'must not be the source address';
  },
};

/** Refuses digits that the currency does not have: the service may cut or round them. */
// @__NO_SIDE_EFFECTS__
export function amountDecimals(currencyOf: (input: Withdrawal) => unknown): Safeguard {
  return {
    path: 'amount',
    rule: 'At most 6 decimals for usdc and usdt.',
    problem(input) {
      const { amount } = input;
      const known = knownCurrency(currencyOf(input));
      if (typeof amount !== 'string' || known?.decimals === undefined) return undefined;
      const [, fraction = ''] = amount.split('.', 2);
      if (fraction.length <= known.decimals) return undefined;
      return `must have at most ${known.decimals} decimals, because ${known.code} has no more`;
    },
  };
}
