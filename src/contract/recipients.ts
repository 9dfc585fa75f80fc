import { isSolanaAddress, isSystemProgram } from './formats/base58.js';
import { isEvmAddress } from './formats/evm-address.js';
import { hasEvmForm, isZeroAddress } from './formats/evm-checksum.js';
import {
  type AddressFamily,
  type AddressFormat,
  type AddressFormats,
  knownCurrency,
} from './lists.js';

/** The properties of an {@link AddressFormat}. */
export const ADDRESS_FORMAT_NAMES = ['isAddress', 'hasMemos'] as const;

/** Returns the property of an address format that is not valid, and the rule that it breaks. */
export function addressFormatProblem(format: Partial<Record<string, unknown>>) {
  if (typeof format['isAddress'] !== 'function')
    return ['isAddress', 'must be a function'] as const;
  if (typeof format['hasMemos'] !== 'boolean')
    return ['hasMemos', 'must be true or false'] as const;
  return undefined;
}

/** The fields of a withdrawal. Each may be anything. */
export type Withdrawal = Readonly<Record<string, unknown>>;

const RULES: Readonly<Record<AddressFamily, string>> = {
  evm: 'must be an EVM address: 0x and 40 hex characters, with a valid EIP-55 checksum if in mixed case',
  solana: 'must be a Solana address: base58 of 32 bytes',
};
const FORMATS: Readonly<Record<AddressFamily, (text: string) => boolean>> = {
  evm: isEvmAddress,
  solana: isSolanaAddress,
};

/**
 * Currencies whose transfers are lost without a memo or destination tag. The contract names no list
 * ("required for networks that use memos"), so this list is our choice.
 */
export const MEMO_CURRENCIES = ['xrp', 'xlm'] as const;

/** A currency of {@link MEMO_CURRENCIES}. */
export type MemoCurrency = (typeof MEMO_CURRENCIES)[number];

/** The forms of XRP addresses and of Stellar accounts, without their checksums. */
const MEMO_FORMS =
  /^(?:r[1-9A-HJ-NP-Za-km-z]{24,34}|[XT][1-9A-HJ-NP-Za-km-z]{46}|G[A-Z2-7]{55}|M[A-Z2-7]{68})$/;

/** Addresses to which no key exists: money that is sent there is lost. */
const NOBODYS: readonly string[] = [
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY5HFKQ',
  'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF',
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
];

/** Whether a text is an address of a format. The validators of many libraries throw instead. */
export function hasFormat({ isAddress }: AddressFormat, address: unknown): boolean {
  try {
    return typeof address === 'string' && isAddress(address) === true;
  } catch {
    return false;
  }
}

/** The networks of the caller that the paying wallet can be on. */
function sourceNetworksOf({ sourceAddress }: Withdrawal, formats: AddressFormats) {
  return Object.entries(formats).filter(([, format]) => hasFormat(format, sourceAddress));
}

function familyOf(address: unknown): AddressFamily | undefined {
  if (typeof address !== 'string') return undefined;
  if (hasEvmForm(address)) return 'evm';
  return isSolanaAddress(address) ? 'solana' : undefined;
}

/**
 * The kinds of address that can receive the currency, as far as it is certain: the kind of the wallet
 * that pays. A wallet of neither kind is on another network, of which nothing is known, unless the
 * currency is at home on one network only.
 */
function familiesOf({ currency, sourceAddress }: Withdrawal): readonly AddressFamily[] | undefined {
  const families = knownCurrency(currency)?.families;
  const source = familyOf(sourceAddress);
  if (source !== undefined && families?.includes(source)) return [source];
  return source === undefined && families !== undefined && families.length > 1
    ? undefined
    : families;
}

function formProblem(input: Withdrawal, recipient: string, formats: AddressFormats) {
  const own = sourceNetworksOf(input, formats);
  if (own.some(([, format]) => hasFormat(format, recipient))) return undefined;
  const families = own.length > 0 ? [] : familiesOf(input);
  const checked = families ?? (hasEvmForm(recipient) ? (['evm'] as const) : undefined);
  if (checked === undefined || checked.some((family) => FORMATS[family](recipient)))
    return undefined;
  const rules = own.map(([network]) => `must be an address of the network ${network}`);
  return [...rules, ...checked.map((family) => RULES[family])].join(', or ');
}

/** Returns why an address cannot receive a withdrawal, as far as that is certain. */
export function recipientProblem(
  input: Withdrawal,
  formats: AddressFormats = {},
): string | undefined {
  const { recipientAddress: recipient, checkRecipient } = input;
  if (typeof recipient !== 'string' || checkRecipient === false) return undefined;
  const problem = formProblem(input, recipient, formats);
  if (problem !== undefined) return problem;
  const isZero =
    isZeroAddress(recipient) || isSystemProgram(recipient) || NOBODYS.includes(recipient);
  return isZero ? 'must not be the zero address' : undefined;
}

/**
 * Returns whether a withdrawal may be lost without a memo: the paying wallet has a memo itself, or is
 * on a network that uses them.
 */
export function needsMemo(input: Withdrawal, formats: AddressFormats = {}): boolean {
  const { currency, sourceAddress, sourceMemo } = input;
  const currencies: readonly unknown[] = MEMO_CURRENCIES;
  return (
    typeof sourceMemo === 'string' ||
    currencies.includes(currency) ||
    (typeof sourceAddress === 'string' && MEMO_FORMS.test(sourceAddress)) ||
    sourceNetworksOf(input, formats).some(([, { hasMemos }]) => hasMemos)
  );
}
