import { isSolanaAddress } from '../../contract/formats/base58.js';
import { baseUnitsToDecimal, isDecimal } from '../../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { isObject } from '../../contract/formats/is-object.js';
import { invalid } from '../../delegation/invalid.js';
import { requireDuration } from '../../delegation/numbers.js';
import {
  addressBytes,
  requireTokenProgram,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../addresses.js';
import { checkDecimals } from '../approval.js';
import { associatedTokenAccount } from '../associated-token-account.js';
import type { SolanaAccountInfo } from '../connection.js';
import { SOLANA_CURRENCIES, type SolanaCurrency } from '../currencies.js';
import type { SolanaSpendingPower, SolanaSpendingPowerInput } from '../spending-power-types.js';
import { decodeMintDecimals, decodeTokenAccount, type TokenAccount } from '../token-account.js';
import { SOLANA_NETWORK } from './network.js';
import { readAccounts } from './read-accounts.js';
import { readAgain } from './read-chain.js';
import { createReadingContext } from './reading-context.js';

type Wallet = { address: string; currency: string; limit: string | undefined };
type Infos = ReadonlyMap<string, SolanaAccountInfo>;

/** Reads what the delegate can spend from each registered wallet now. */
export async function readSpendingPower(
  input: SolanaSpendingPowerInput,
): Promise<SolanaSpendingPower[]> {
  const { wallets, connection, delegate, commitment } = checkInput(input);
  const tokens = tokensOf(input);
  const own = wallets.flatMap((entry) => walletOf(entry) ?? []);
  const addresses = new Set<string>();
  for (const { address, currency } of own) {
    const token = tokens.get(currency);
    if (token === undefined || !isSolanaAddress(address)) continue;
    addresses.add(token.mint);
    for (const account of accountsOf(address, token)) addresses.add(account);
  }
  const list = [...addresses];
  const read = () => readAccounts(connection, list, commitment);
  const context = createReadingContext(input);
  const found = list.length === 0 ? [] : await readAgain(context, { what: 'the accounts', read });
  const infos: Infos = new Map(
    found.flatMap((info, index) => (info === null ? [] : [[list[index] ?? '', info] as const])),
  );
  return own.map((wallet) => powerOf(wallet, tokens.get(wallet.currency), delegate, infos));
}

function checkInput(input: SolanaSpendingPowerInput): SolanaSpendingPowerInput {
  const { wallets, connection, delegate, readTimeout }: SolanaSpendingPowerInput = Object(input);
  if (!Array.isArray(wallets)) invalid('wallets', 'must be a list');
  if (typeof Object(connection).getAccountInfo !== 'function') {
    invalid('connection', 'must be a connection');
  }
  addressBytes(delegate, 'delegate');
  if (readTimeout !== undefined) requireDuration('readTimeout', readTimeout);
  return input;
}

function tokensOf({ tokens = {} }: SolanaSpendingPowerInput): ReadonlyMap<string, SolanaCurrency> {
  const known = new Map<string, SolanaCurrency>();
  for (const [code, token] of Object.entries({ ...SOLANA_CURRENCIES, ...Object(tokens) })) {
    const { mint, decimals, programAddress }: SolanaCurrency = Object(token);
    addressBytes(mint, `tokens.${code}.mint`);
    checkDecimals(decimals);
    if (programAddress !== undefined) requireTokenProgram(programAddress);
    known.set(code.toLowerCase(), { mint, decimals, programAddress });
  }
  return known;
}

/** The Solana wallets of the service's list; `undefined` for an entry of another network. */
function walletOf(entry: unknown): Wallet | undefined {
  if (!isObject(entry)) return undefined;
  const { address, network, currency, allowance } = entry;
  if (typeof address !== 'string' || typeof currency !== 'string') return undefined;
  const isNamed = network !== undefined && network !== null;
  if (isNamed ? !equalsIgnoringCase(network, SOLANA_NETWORK) : !isSolanaAddress(address)) {
    return undefined;
  }
  return { address, currency: currency.toLowerCase(), limit: decimalOf(allowance) };
}

function decimalOf(value: unknown): string | undefined {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  const trimmed = typeof text === 'string' ? text.trim() : '';
  return isDecimal(trimmed) ? trimmed : undefined;
}

function accountsOf(owner: string, { mint, programAddress }: SolanaCurrency): string[] {
  const programs = programAddress ? [programAddress] : [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
  return programs.map((program) =>
    associatedTokenAccount({ owner, mint, programAddress: program }),
  );
}

function powerOf(
  wallet: Wallet,
  token: SolanaCurrency | undefined,
  delegate: string,
  infos: Infos,
): SolanaSpendingPower {
  const nothing = (reason: SolanaSpendingPower['reason']): SolanaSpendingPower => ({
    ...wallet,
    tokenAccount: undefined,
    delegate: null,
    allowance: '0',
    balance: '0',
    spendable: '0',
    reason,
  });
  if (token === undefined) return nothing('unknown_currency');
  if (!isSolanaAddress(wallet.address)) return nothing('invalid_address');
  const mint = infos.get(token.mint);
  const decimals = mint && decodeMintDecimals(mint.data);
  if (decimals === undefined) return nothing('mint_not_found');
  if (decimals !== token.decimals) return nothing('wrong_decimals');
  const programAddress = mint?.owner.toBase58();
  const at = associatedTokenAccount({ owner: wallet.address, mint: token.mint, programAddress });
  const info = infos.get(at);
  const account =
    info?.owner.toBase58() === programAddress && info && decodeTokenAccount(info.data);
  if (!account) return { ...nothing('no_token_account'), tokenAccount: at };
  return { ...wallet, tokenAccount: at, ...amountsOf(account, delegate, decimals) };
}

function amountsOf(account: TokenAccount, delegate: string, decimals: number) {
  const { balance, delegatedAmount, isFrozen } = account;
  const isOther = account.delegate !== delegate;
  const allowance = isOther ? 0n : delegatedAmount;
  const spendable = isFrozen ? 0n : allowance < balance ? allowance : balance;
  const shown = (units: bigint) => baseUnitsToDecimal(units, decimals);
  const reason = isFrozen ? 'frozen' : isOther ? 'other_delegate' : undefined;
  return {
    delegate: account.delegate,
    allowance: shown(allowance),
    balance: shown(balance),
    spendable: shown(spendable),
    reason,
  } satisfies Partial<SolanaSpendingPower>;
}
