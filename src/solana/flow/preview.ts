import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import { isChainError } from '../../delegation/is-chain-error.js';
import { createReadingContext } from '../../delegation/reading-context.js';
import { TOKEN_PROGRAM } from '../addresses.js';
import type { SolanaAccountInfo } from '../connection.js';
import type { SolanaDelegationPreview } from '../preview-types.js';
import { decodeTokenAccount, type TokenAccount } from '../token-account.js';
import { canPay, estimateFee } from './fee.js';
import { lamportsOf } from './gas.js';
import type { SolanaDelegationOptions } from './options.js';
import type { SolanaPlan } from './plan.js';
import { prepareDelegation } from './prepare-delegation.js';
import { problemsOf } from './preview-problems.js';
import { readAccounts } from './read-accounts.js';
import { readAgain } from './read-chain.js';
import { simulateApproval } from './simulate.js';
import {
  candidateAccounts,
  checkAccount,
  checkDelegate,
  checkMint,
  requireFreeDelegate,
  tokenAccountIn,
} from './token-state.js';

type Info = SolanaAccountInfo | null | undefined;

/** Reads what a delegation would do, and tries it without the wallet. */
export async function runSolanaPreview(
  options: SolanaDelegationOptions,
): Promise<SolanaDelegationPreview> {
  // Nothing is approved here: the preview shows the spender, so that somebody can confirm it.
  const { confirmSpender = () => true }: SolanaDelegationOptions = Object(options);
  const { plan } = await prepareDelegation({ ...options, confirmSpender });
  const context = createReadingContext(options);
  const { token, wallet, spender, commitment } = plan;
  const candidates = candidateAccounts(plan);
  const addresses = [token.mint, spender, wallet.address, ...candidates];
  const read = () => readAccounts(options.node, addresses, commitment);
  const infos = await readAgain(context, { what: 'an account', read });
  const [mint, delegate, owner] = infos;
  const program = mint?.owner.toBase58() ?? token.programAddress ?? TOKEN_PROGRAM;
  const tokenAccount = candidates.length === 1 ? candidates[0] : shownTokenAccount(plan, program);
  const account = infos[3 + candidates.indexOf(tokenAccount ?? '')];
  const check = () => checkAccounts(plan, mint, delegate, account);
  const broken = problemOf(check);
  const { dryRun, problem } =
    broken === undefined
      ? await simulateApproval(plan, program, context)
      : { dryRun: 'not-run' as const, problem: broken };
  const decoded = account ? decodeTokenAccount(account.data) : undefined;
  const fees = feesOf(plan, owner);
  return {
    ...factsOf(plan),
    programAddress: program,
    tokenAccount: tokenAccount ?? '',
    hasTokenAccount: account !== null && account !== undefined,
    ...limitsOf(plan, decoded),
    ...fees,
    dryRun,
    problems: problemsOf(problem, fees.needsFaucet, decoded && decoded.balance < plan.units),
  };
}

/** An unknown program of a broken mint must not hide what is wrong with it. */
function shownTokenAccount(plan: SolanaPlan, program: string): string {
  try {
    return tokenAccountIn(plan, program);
  } catch {
    return tokenAccountIn(plan, TOKEN_PROGRAM);
  }
}

function checkAccounts(plan: SolanaPlan, mint: Info, delegate: Info, info: Info): void {
  const program = checkMint(plan, mint);
  checkDelegate(delegate);
  const account = checkAccount(plan, program, info);
  requireFreeDelegate(plan, { account });
}

function problemOf(check: () => void) {
  try {
    check();
    return undefined;
  } catch (error) {
    if (isChainError(error)) return error;
    throw error;
  }
}

function factsOf({ options, wallet, token, spender, units }: SolanaPlan) {
  const { mint, decimals } = token;
  const amount = baseUnitsToDecimal(units, decimals);
  const { currency } = options;
  return { network: 'solana', currency, owner: wallet.address, mint, decimals, spender, amount };
}

function limitsOf({ token }: SolanaPlan, account: TokenAccount | undefined) {
  const shown = (units = 0n) => baseUnitsToDecimal(units, token.decimals);
  return {
    oldSpender: account?.delegate ?? null,
    oldLimit: shown(account?.delegatedAmount),
    tokenBalance: shown(account?.balance),
  };
}

function feesOf(plan: SolanaPlan, owner: Info) {
  const fee = estimateFee(plan);
  const lamports = lamportsOf(owner);
  return {
    estimatedFee: fee.toString(),
    nativeBalance: lamports?.toString(),
    needsFaucet: lamports === undefined ? undefined : !canPay(lamports, fee),
  };
}
