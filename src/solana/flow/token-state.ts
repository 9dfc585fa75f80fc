import type { ReadingContext } from '../../delegation/reading-context.js';
import { UnsupportedSignatureError } from '../../delegation/wallet-errors.js';
import { addressBytes, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.js';
import { tokenAccountOf } from '../approval.js';
import { isOnCurve } from '../associated-token-account.js';
import type { SolanaAccountInfo } from '../connection.js';
import { decodeMintDecimals, decodeTokenAccount, type TokenAccount } from '../token-account.js';
import { DelegateInUseError, TokenAccountError } from './errors.js';
import { lamportsOf } from './fee.js';
import type { SolanaPlan } from './plan.js';
import { readAccounts, readAgain } from './read-chain.js';

type Info = SolanaAccountInfo | null;

/** How long a token account that differs from the approval may be stale, in milliseconds. */
export const STALE_LIMIT_MS = 15_000;

/** The program of the mint, and the token account as the chain has it. */
export type TokenState = {
  program: string;
  tokenAccount: string;
  account: TokenAccount;
  /** The lamports of the wallet; `undefined` if they were not read, or the node does not say. */
  lamports: bigint | undefined;
};

/** The token program of each plan's mint. A mint never changes it, so one run reads it once. */
const programs = new WeakMap<SolanaPlan, string>();

const TOKEN_PROGRAMS: readonly unknown[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/** Checks the mint's decimals and returns the program that it belongs to. */
export function checkMint({ token }: SolanaPlan, info: Info | undefined): string {
  const found = info && decodeMintDecimals(info.data);
  if (!info || found === undefined) throw new TokenAccountError('mint_not_found');
  const program = info.owner.toBase58();
  const isExpected = program === (token.programAddress ?? program);
  if (!isExpected || !TOKEN_PROGRAMS.includes(program)) {
    throw new TokenAccountError('wrong_program');
  }
  if (found !== token.decimals) throw new TokenAccountError('wrong_decimals');
  return program;
}

/** Refuses a delegate that can never spend. A key whose account does not exist yet can. */
export function checkDelegate(info: Info | undefined): void {
  if (info?.executable === true || TOKEN_PROGRAMS.includes(info?.owner.toBase58())) {
    throw new TokenAccountError('unusable_delegate');
  }
}

/**
 * Checks that the wallet can sign and pay: its address is a key, and its account is a plain one. The
 * address of a program, such as the vault of a multisig, has no key.
 *
 * @throws UnsupportedSignatureError
 */
export function checkWallet({ wallet }: SolanaPlan, info: Info | undefined): void {
  const isKey = isOnCurve(addressBytes(wallet.address, 'wallet.address'));
  const isPlain = !info || info.owner.toBase58() === SYSTEM_PROGRAM;
  if (isKey && isPlain) return;
  throw new UnsupportedSignatureError('the account belongs to a program, which has no key');
}

/** What the token account of a plan depends on. */
type TokenAccountPlan = Pick<SolanaPlan, 'wallet' | 'token' | 'options'>;

/** The token account of a plan, for a mint of the given program. */
export function tokenAccountIn(
  { wallet, token, options }: TokenAccountPlan,
  program: string,
): string {
  return tokenAccountOf({
    owner: wallet.address,
    mint: token.mint,
    programAddress: program,
    tokenAccount: options.tokenAccount,
  });
}

/** The token account, for either program where it is not known which one the mint belongs to. */
export function candidateAccounts(
  plan: TokenAccountPlan,
  program = plan.token.programAddress,
): string[] {
  const programs = program === undefined ? [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] : [program];
  return [...new Set(programs.map((candidate) => tokenAccountIn(plan, candidate)))];
}

/** How a delegation names its token account: `default` for the associated one, also if its address is given. */
export function tokenAccountName({ wallet, token, options }: TokenAccountPlan): string {
  const { tokenAccount, ...rest } = options;
  if (tokenAccount === undefined) return 'default';
  const associated = candidateAccounts({ wallet, token, options: rest });
  return associated.includes(tokenAccount) ? 'default' : tokenAccount;
}

/** Checks that the wallet can approve a delegate of the token account. */
export function checkAccount(
  plan: SolanaPlan,
  program: string,
  info: Info | undefined,
): TokenAccount {
  const account = info?.owner.toBase58() === program ? decodeTokenAccount(info.data) : undefined;
  if (account === undefined) throw new TokenAccountError('not_found');
  if (account.owner !== plan.wallet.address) throw new TokenAccountError('wrong_owner');
  if (account.mint !== plan.token.mint) throw new TokenAccountError('wrong_mint');
  if (account.isFrozen) throw new TokenAccountError('frozen');
  return account;
}

/**
 * Reads mint, delegate, wallet and token account, and throws if an approval is not possible. Later calls
 * read only the token account.
 *
 * @param isExpected whether the token account is as it should be; otherwise the node may lag
 * @param limit how long to wait for a node that lags, in milliseconds
 */
export async function readTokenState(
  plan: SolanaPlan,
  context: ReadingContext,
  isExpected: (account: TokenAccount) => boolean = () => true,
  limit?: number,
): Promise<TokenState> {
  const known = programs.get(plan);
  const accounts = candidateAccounts(plan, known);
  const first = known === undefined ? [plan.token.mint, plan.spender, plan.wallet.address] : [];
  const { node: connection } = plan.options;
  const read = () => readAccounts(connection, [...first, ...accounts], plan.commitment);
  const find = (infos: Info[]): TokenState => {
    const [mint, delegate, wallet] = infos;
    const program = known ?? checkMint(plan, mint);
    if (known === undefined) {
      checkDelegate(delegate);
      checkWallet(plan, wallet);
    }
    const tokenAccount = tokenAccountIn(plan, program);
    const info = infos[first.length + accounts.indexOf(tokenAccount)];
    const lamports = known === undefined ? lamportsOf(wallet) : undefined;
    return { program, tokenAccount, account: checkAccount(plan, program, info), lamports };
  };
  const isUsable = (infos: Info[]) => isComplete(infos, first.length) && isAsExpected(infos);
  const isAsExpected = (infos: Info[]) => {
    try {
      return isExpected(find(infos).account);
    } catch {
      // Waiting does not cure what is wrong with these accounts. The error is thrown below.
      return true;
    }
  };
  const infos = await readAgain(context, { what: 'an account', read, isUsable, limit });
  const state = withOutcome(context, () => find(infos));
  programs.set(plan, state.program);
  return state;
}

/** The token program of the mint. Does not check the token account, which may have changed since. */
export async function readProgram(plan: SolanaPlan, context: ReadingContext): Promise<string> {
  const known = programs.get(plan);
  if (known !== undefined) return known;
  const { node: connection } = plan.options;
  const [mint] = await readAgain(context, {
    what: 'the mint',
    read: () => readAccounts(connection, [plan.token.mint], plan.commitment),
    isUsable: ([info]) => info !== null,
  });
  return withOutcome(context, () => checkMint(plan, mint));
}

/** Gives a problem the outcome of the flow: it may be found after the approval was sent. */
function withOutcome<T>(context: ReadingContext, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof TokenAccountError)) throw error;
    throw new TokenAccountError(error.reason, error.cause, context.outcome());
  }
}

/** Whether nothing is missing that every approval needs: the mint and a token account. */
function isComplete(infos: Info[], before: number): boolean {
  return (before === 0 || infos[0] !== null) && infos.slice(before).some((info) => info !== null);
}

/** A token account has one delegate: another one is replaced only on request. */
export function requireFreeDelegate(
  plan: SolanaPlan,
  { account }: Pick<TokenState, 'account'>,
): void {
  const { delegate, delegatedAmount } = account;
  const isOther = delegate !== null && delegate !== plan.spender && delegatedAmount > 0n;
  if (isOther && plan.options.replaceSpender !== true) {
    throw new DelegateInUseError(delegate, delegatedAmount);
  }
}

/**
 * How much the spender may spend on the chain now, in base units. A limit other than the requested one
 * is read again: it can be the one before the approval, from a node that lags.
 */
export async function remainingLimit(plan: SolanaPlan, context: ReadingContext): Promise<bigint> {
  const isRequested = (account: TokenAccount) => limitOf(plan, { account }) === plan.units;
  const limit = Math.min(STALE_LIMIT_MS, plan.confirmationTimeout);
  return limitOf(plan, await readTokenState(plan, context, isRequested, limit));
}

/** How much the spender may spend of a token account, in base units. */
export function limitOf({ spender }: SolanaPlan, { account }: Pick<TokenState, 'account'>): bigint {
  return account.delegate === spender ? account.delegatedAmount : 0n;
}
