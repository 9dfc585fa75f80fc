import { isSolanaAddress } from '../../contract/formats/base58.js';
import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import { equalsIgnoringCase } from '../../contract/formats/ignore-case.js';
import { invalid } from '../../delegation/check-values.js';
import {
  createReadingContext,
  type ReadingContext,
  type ReadingOptions,
} from '../../delegation/reading-context.js';
import { parseListedLimit } from '../../delegation/registered-wallets.js';
import {
  addressBytes,
  requireTokenProgram,
  SOLANA_CURRENCIES,
  type SolanaCurrency,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../addresses.js';
import { checkDecimals } from '../approval.js';
import { associatedTokenAccount } from '../associated-token-account.js';
import {
  COMMITMENTS,
  requireCommitment,
  type SolanaAccountInfo,
  type SolanaCommitment,
} from '../connection.js';
import { decodeMintDecimals, decodeTokenAccount, type TokenAccount } from '../token-account.js';
import { SOLANA_NETWORK } from './chain-config.js';
import { readAccounts, readAgain, type SolanaAccountReader } from './read-chain.js';

/** The wallets to read, and the connection to read them from. */
export type SolanaSpendingPowerInput = ReadingOptions & {
  /**
   * The registered wallets: the result of `client.wallets.external.list()`. Entries of other networks
   * are in `leftOut`.
   */
  wallets: readonly unknown[];
  /** A connection to the chain. With `getMultipleAccountsInfo`, one request reads 100 accounts. */
  node: SolanaAccountReader;
  /** The key that may spend: the platform's delegate. */
  spender: string;
  /** Mint and decimals by currency, in addition to usdc and usdt of the main network. */
  tokens?: Readonly<Record<string, SolanaCurrency>> | undefined;
  /** How certain the cluster must be. Default `confirmed`. */
  commitment?: SolanaCommitment | undefined;
};

/**
 * The spending power of the delegate from a registered wallet. Amounts are in units of the
 * currency.
 */
export type SolanaSpendingPower = {
  /** The wallet. */
  readonly address: string;
  /** The currency in lower case. */
  readonly currency: string;
  /** The token account. */
  readonly tokenAccount: string;
  /** The delegate that may spend now; `null` if there is none. */
  readonly delegate: string | null;
  /**
   * The limit that the service lists: the whole of a progress bar. `undefined` if it is not a number.
   */
  readonly cap: string | undefined;
  /** The rest of the limit on the chain, for the platform's delegate. */
  readonly limit: string;
  /** The balance of the token account. */
  readonly balance: string;
  /** The amount that can be spent now: the smaller of limit and balance, `0` if it is frozen. */
  readonly spendable: string;
  /**
   * Why nothing can be spent. `no-token-account`: the wallet has none for this token.
   * `other-delegate`: another key may spend, or none. `frozen`: the mint's issuer has frozen it.
   */
  readonly reason: 'no-token-account' | 'other-delegate' | 'frozen' | undefined;
};

/** The result of `readSolanaSpendingPower`. */
export type SolanaSpendingPowers = {
  readonly wallets: readonly SolanaSpendingPower[];
  /**
   * Entries without a result. `not-solana`: of another network, or not an entry. `invalid-address`:
   * not an address. `unknown-currency`: not in `tokens`. `unreadable`: this chain has no such mint.
   * `wrong-decimals`: the mint has other decimals than `tokens`, so every amount would be wrong.
   */
  readonly leftOut: readonly {
    readonly wallet: unknown;
    readonly reason:
      | 'not-solana'
      | 'invalid-address'
      | 'unknown-currency'
      | 'unreadable'
      | 'wrong-decimals';
  }[];
};

type Reason = SolanaSpendingPowers['leftOut'][number]['reason'];
type Candidate = {
  readonly address: string;
  readonly currency: string;
  readonly token: SolanaCurrency;
  readonly cap: string | undefined;
};
type Infos = ReadonlyMap<string, SolanaAccountInfo>;

/** Reads each mint and token account once. */
async function readInfos(
  input: SolanaSpendingPowerInput,
  candidates: readonly Candidate[],
  context: ReadingContext,
): Promise<Infos> {
  const commitment = requireCommitment(COMMITMENTS, input.commitment);
  const needed = candidates.flatMap(({ address, token }) => [
    token.mint,
    ...accountsOf(address, token),
  ]);
  const list = [...new Set(needed)];
  if (list.length === 0) return new Map();
  const read = () => readAccounts(input.node, list, commitment);
  const found = await readAgain(context, { what: 'the accounts', read });
  return new Map(
    found.flatMap((info, index) => (info === null ? [] : [[list[index] ?? '', info] as const])),
  );
}

function checkInput(input: SolanaSpendingPowerInput): SolanaSpendingPowerInput {
  const { wallets, node: connection, spender }: SolanaSpendingPowerInput = Object(input);
  if (!Array.isArray(wallets)) invalid('wallets', 'must be a list');
  if (typeof Object(connection).getAccountInfo !== 'function') {
    invalid('node', 'must have the method getAccountInfo');
  }
  addressBytes(spender, 'spender');
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

/** What is to be read for an entry of the service's list, or why it is left out. */
function candidateOf(
  entry: unknown,
  tokens: ReadonlyMap<string, SolanaCurrency>,
): Candidate | Reason {
  const { address, network, currency, allowance }: Readonly<Record<string, unknown>> =
    Object(entry);
  const isNamed = network !== undefined && network !== null;
  if (isNamed && !equalsIgnoringCase(network, SOLANA_NETWORK)) return 'not-solana';
  if (typeof address !== 'string' || !isSolanaAddress(address)) {
    return isNamed ? 'invalid-address' : 'not-solana';
  }
  const code = typeof currency === 'string' ? currency.toLowerCase() : '';
  const token = tokens.get(code);
  if (token === undefined) return 'unknown-currency';
  return { address, currency: code, token, cap: capOf(allowance, token.decimals) };
}

/** The limit as the service lists it, in units of the currency. */
function capOf(value: unknown, decimals: number): string | undefined {
  const limit = parseListedLimit(value);
  return typeof limit === 'bigint' ? baseUnitsToDecimal(limit, decimals) : limit;
}

function accountsOf(owner: string, { mint, programAddress }: SolanaCurrency): string[] {
  const programs = programAddress ? [programAddress] : [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];
  return programs.map((program) =>
    associatedTokenAccount({ owner, mint, programAddress: program }),
  );
}

function powerOf(
  { address, currency, token, cap }: Candidate,
  spender: string,
  infos: Infos,
): SolanaSpendingPower | Reason {
  const mint = infos.get(token.mint);
  const decimals = mint && decodeMintDecimals(mint.data);
  if (mint === undefined || decimals === undefined) return 'unreadable';
  if (decimals !== token.decimals) return 'wrong-decimals';
  const programAddress = mint.owner.toBase58();
  const at = associatedTokenAccount({ owner: address, mint: token.mint, programAddress });
  const info = infos.get(at);
  const isOfMint = info?.owner.toBase58() === programAddress;
  const account = isOfMint ? decodeTokenAccount(info.data) : undefined;
  return { address, currency, tokenAccount: at, cap, ...amountsOf(account, spender, decimals) };
}

function amountsOf(account: TokenAccount | undefined, spender: string, decimals: number) {
  const { balance = 0n, delegatedAmount = 0n, isFrozen = false } = account ?? {};
  const isOther = account?.delegate !== spender;
  const limit = isOther ? 0n : delegatedAmount;
  const spendable = isFrozen ? 0n : limit < balance ? limit : balance;
  const shown = (units: bigint) => baseUnitsToDecimal(units, decimals);
  return {
    delegate: account?.delegate ?? null,
    limit: shown(limit),
    balance: shown(balance),
    spendable: shown(spendable),
    reason: reasonOf(account, isOther),
  };
}

function reasonOf(
  account: TokenAccount | undefined,
  isOther: boolean,
): SolanaSpendingPower['reason'] {
  if (account === undefined) return 'no-token-account';
  if (account.isFrozen) return 'frozen';
  return isOther ? 'other-delegate' : undefined;
}

/**
 * Returns how much the platform's delegate can spend from each registered Solana wallet now: the
 * smaller of what is left of the limit and the balance. One request reads up to 100 accounts: each mint
 * once, and one or two token accounts of each wallet.
 *
 * @throws RequestValidationError for invalid input. An unusable entry of the list is not an error:
 * see `leftOut`.
 * @throws ChainError with `chain_unreadable` when the node cannot be read.
 *
 * @example
 * ```ts
 * import { readSolanaSpendingPower, type SolanaConnection } from 'card-platform-sdk/solana';
 *
 * async function bars(node: SolanaConnection, spender: string, wallets: readonly unknown[]) {
 *   const found = await readSolanaSpendingPower({ wallets, node, spender });
 *   return found.wallets.map(({ currency, spendable, cap }) => `${spendable} of ${cap} ${currency}`);
 * }
 * ```
 */
export async function readSolanaSpendingPower(
  input: SolanaSpendingPowerInput,
): Promise<SolanaSpendingPowers> {
  const { wallets: listed, spender } = checkInput(input);
  const context = createReadingContext(input);
  const tokens = tokensOf(input);
  const candidates = listed.map((wallet) => ({ wallet, found: candidateOf(wallet, tokens) }));
  const known = candidates.flatMap(({ found }) => (typeof found === 'string' ? [] : [found]));
  const infos = await readInfos(input, known, context);
  const wallets: SolanaSpendingPower[] = [];
  const leftOut: SolanaSpendingPowers['leftOut'][number][] = [];
  for (const { wallet, found } of candidates) {
    const power = typeof found === 'string' ? found : powerOf(found, spender, infos);
    if (typeof power === 'string') leftOut.push({ wallet, reason: power });
    else wallets.push(power);
  }
  return { wallets, leftOut };
}
