import { isSolanaAddress } from './formats/base58.js';
import { isEvmAddress } from './formats/evm-address.js';
import { hasEvmForm, isZeroAddress } from './formats/evm-checksum.js';
import { equalsIgnoringCase } from './formats/ignore-case.js';
import { isSystemProgram } from './formats/solana-zero.js';
import { type AddressFamily, knownCurrency } from './lists.js';
import type { Safeguard } from './safeguard.js';

type Input = Readonly<Record<string, unknown>>;

const RULES: Readonly<Record<AddressFamily, string>> = {
  evm: 'must be an EVM address: 0x and 40 hex characters, with a valid EIP-55 checksum if in mixed case',
  solana: 'must be a Solana address: base58 of 32 bytes',
};
const FORMATS: Readonly<Record<AddressFamily, (text: string) => boolean>> = {
  evm: isEvmAddress,
  solana: isSolanaAddress,
};

function familyOf(address: unknown): AddressFamily | undefined {
  if (typeof address !== 'string') return undefined;
  if (hasEvmForm(address)) return 'evm';
  return isSolanaAddress(address) ? 'solana' : undefined;
}

/** The kinds of address that can receive the currency, narrowed by the wallet that pays. */
function familiesOf({ currency, sourceAddress }: Input): readonly AddressFamily[] | undefined {
  const families = knownCurrency(currency)?.families;
  const source = familyOf(sourceAddress);
  return source !== undefined && families?.includes(source) ? [source] : families;
}

/** Refuses an address that cannot receive the currency: money that is sent there is lost. */
export const recipientFormat: Safeguard = {
  path: 'recipientAddress',
  problem(input) {
    const { recipientAddress: recipient, checkRecipient } = input;
    if (typeof recipient !== 'string' || checkRecipient === false) return undefined;
    const families = familiesOf(input) ?? (hasEvmForm(recipient) ? ['evm'] : undefined);
    if (families !== undefined && !families.some((family) => FORMATS[family](recipient))) {
      return families.map((family) => RULES[family]).join(', or ');
    }
    const isZero = isZeroAddress(recipient) || isSystemProgram(recipient);
    return isZero ? 'must not be the zero address' : undefined;
  },
};

function isSameAddress(one: string, other: unknown): boolean {
  return hasEvmForm(one) ? equalsIgnoringCase(other, one) : other === one;
}

/** Refuses a withdrawal to its source. Wallets with the same address differ by their memos. */
export const recipientIsNotSource: Safeguard = {
  path: 'recipientAddress',
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
export function amountDecimals(currencyOf: (input: Input) => unknown): Safeguard {
  return {
    path: 'amount',
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
