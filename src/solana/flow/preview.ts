import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import type { ChainError } from '../../delegation/chain-error.js';
import { isChainError } from '../../delegation/is-chain-error.js';
import { BALANCE_BELOW_AMOUNT, noGas } from '../../delegation/preview-problems.js';
import {
  createReadingContext,
  ifReadable,
  type ReadingContext,
} from '../../delegation/reading-context.js';
import { TOKEN_PROGRAM } from '../addresses.js';
import type { SolanaAccountInfo } from '../connection.js';
import { decodeTokenAccount, type TokenAccount } from '../token-account.js';
import { encodeTransaction } from '../transaction.js';
import { buildInstruction } from './build-instruction.js';
import { SOLANA_NETWORK } from './chain-config.js';
import { prepareDelegation } from './delegate-solana.js';
import type { TokenAccountProblem } from './errors.js';
import { canPay, computeBudget, estimateFee, lamportsOf } from './fee.js';
import type { SolanaDelegationOptions } from './options.js';
import type { SolanaPlan } from './plan.js';
import { readAccounts, readAgain } from './read-chain.js';
import { refusalOfSimulation } from './refusals.js';
import {
  candidateAccounts,
  checkAccount,
  checkDelegate,
  checkMint,
  checkWallet,
  requireFreeDelegate,
  tokenAccountIn,
} from './token-state.js';

/** A problem that would make a delegation fail, or surprise the user. */
export type SolanaPreviewProblem = {
  /**
   * `unsupported-signature`: the wallet's account belongs to a program, and the service accepts no
   * signature of it. `token-account-unusable`: see `reason`. `delegate-in-use`: the approval would replace another
   * delegate, and `replaceSpender` is not set. `no-gas`: the wallet cannot pay the fee.
   * `approval-refused`: the node tried the approval, and it failed for another reason.
   * `balance-below-amount`: the wallet has fewer tokens than the limit, which can still be set.
   */
  readonly code:
    | 'unsupported-signature'
    | 'token-account-unusable'
    | 'delegate-in-use'
    | 'no-gas'
    | 'approval-refused'
    | 'balance-below-amount';
  /**
   * Whether the delegation would fail. `no-gas` does not block it where the flow asks the faucet, or
   * with `checkFunds: false`.
   */
  readonly isBlocking: boolean;
  /** An English sentence. Translate by `code` and `reason`. */
  readonly message: string;
  /** With the code `token-account-unusable`: what is wrong. */
  readonly reason?: TokenAccountProblem;
};

/** The effects that a delegation would have, as data that survives `JSON.stringify`. */
export type SolanaDelegationPreview = {
  /** The network's name at the service. */
  readonly network: string;
  /** The currency's name at the service. */
  readonly currency: string;
  /** The wallet. */
  readonly owner: string;
  /** The token. */
  readonly mint: string;
  /** Its decimals. */
  readonly decimals: number;
  /** The program that the mint belongs to. */
  readonly programAddress: string;
  /** The token account that the delegate may spend from. */
  readonly tokenAccount: string;
  /** Whether the token account exists. Without one, nothing can be approved. */
  readonly hasTokenAccount: boolean;
  /** The key that may spend. */
  readonly spender: string;
  /** The new limit in units of the currency. */
  readonly amount: string;
  /** The delegate that may spend now; `null` if there is none. */
  readonly oldSpender: string | null;
  /** How much the current delegate may spend, in units of the currency. The new limit replaces it. */
  readonly oldLimit: string;
  /** The balance of the token account, in units of the currency. */
  readonly tokenBalance: string;
  /** The network fee with its priority fee in lamports. A wallet may change the priority fee. */
  readonly estimatedFee: string;
  /** The wallet's lamports; `undefined` if the connection does not report them. */
  readonly nativeBalance: string | undefined;
  /**
   * Whether the wallet cannot pay the fee, so that the service's faucet or a transfer is needed first.
   * A wallet must keep 890,880 lamports, or nothing. `undefined` if the balance is unknown.
   */
  readonly needsFaucet: boolean | undefined;
  /** Whether the approval was tried on the node, and how that ended. */
  readonly dryRun: 'passed' | 'failed' | 'not-run';
  /** The problems that would make the delegation fail, or surprise the user; the worst first. */
  readonly problems: readonly SolanaPreviewProblem[];
};

/** The result of trying an approval. */
type Simulation = {
  dryRun: 'passed' | 'failed' | 'not-run';
  problem?: ChainError | undefined;
};

/** Any blockhash: the node replaces it. */
const NO_BLOCKHASH = '1'.repeat(32);

/** Has the node execute the approval without sending it. The wallet is not asked. */
async function simulateApproval(
  plan: SolanaPlan,
  program: string,
  context: ReadingContext,
): Promise<Simulation> {
  const { commitment } = plan;
  const { node: connection } = plan.options;
  const simulate = connection.simulateTransaction?.bind(connection);
  if (simulate === undefined) return { dryRun: 'not-run' };
  const bytes = encodeTransaction({
    feePayer: plan.wallet.address,
    blockhash: NO_BLOCKHASH,
    instructions: [...computeBudget(plan), buildInstruction(plan, program)],
  });
  const transaction = { message: {}, serialize: () => bytes };
  const config = { commitment, replaceRecentBlockhash: true, sigVerify: false } as const;
  const run = context.read('the simulation', () => simulate(transaction, config));
  const simulated = await ifReadable(run);
  if (simulated === undefined) return { dryRun: 'not-run' };
  const { err, logs } = simulated.value;
  if (err === null || err === undefined) return { dryRun: 'passed' };
  return { dryRun: 'failed', problem: refusalOfSimulation(err, logs ?? []) };
}

const CODES: Readonly<Record<string, SolanaPreviewProblem['code']>> = {
  unsupported_signature: 'unsupported-signature',
  token_account_unusable: 'token-account-unusable',
  delegate_in_use: 'delegate-in-use',
};

/** Returns what would make a delegation fail, or surprise the user; the worst first. */
function problemsOf(
  { options }: SolanaPlan,
  error: ChainError | undefined,
  needsFaucet: boolean | undefined,
  isBalanceBelow: boolean | undefined,
): SolanaPreviewProblem[] {
  const problems: SolanaPreviewProblem[] = [];
  const isGasMissing = error?.code === 'insufficient_funds';
  if (error !== undefined && !isGasMissing) problems.push(problemOf(error));
  if (isGasMissing || needsFaucet === true) problems.push(noGas(options, SOLANA_NETWORK));
  if (isBalanceBelow === true) problems.push({ ...BALANCE_BELOW_AMOUNT });
  return problems;
}

function problemOf(error: ChainError): SolanaPreviewProblem {
  const reason = isChainError(error, 'token_account_unusable') ? error.reason : undefined;
  return {
    code: CODES[error.code] ?? 'approval-refused',
    isBlocking: true,
    message: error.message,
    ...(reason === undefined ? {} : { reason }),
  };
}

type Info = SolanaAccountInfo | null | undefined;

/** An unknown program of a broken mint must not hide what is wrong with it. */
function shownTokenAccount(plan: SolanaPlan, program: string): string {
  try {
    return tokenAccountIn(plan, program);
  } catch {
    return tokenAccountIn(plan, TOKEN_PROGRAM);
  }
}

function checkAccounts(
  plan: SolanaPlan,
  [mint, delegate, owner]: readonly Info[],
  info: Info,
): void {
  const program = checkMint(plan, mint);
  checkDelegate(delegate);
  checkWallet(plan, owner);
  const account = checkAccount(plan, program, info);
  requireFreeDelegate(plan, { account });
}

function errorOf(check: () => void) {
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

/**
 * Returns what `delegateSolana` would do with the same options: limits, balances, fee, and whether
 * anything prevents it now. The wallet is not asked and nothing is sent. If the connection has
 * `simulateTransaction`, the node tries the approval.
 *
 * Endpoints: `GET /v1/delegation/chain/config`, only with `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input.
 * @throws ConfigurationError as `delegateSolana` does.
 * @throws ChainError with `chain_unreadable` when the node cannot be read, `chain_config_unusable`
 * or `spender_not_confirmed`.
 * @throws CardPlatformError of the client when the chain configuration cannot be read, and the
 * signal's reason on abort.
 *
 * @example
 * ```ts
 * import { previewSolanaDelegation, type SolanaDelegationOptions } from 'card-platform-sdk/solana';
 *
 * async function describe(options: SolanaDelegationOptions): Promise<string> {
 *   const { amount, oldLimit, problems } = await previewSolanaDelegation(options);
 *   const blocking = problems.find(({ isBlocking }) => isBlocking);
 *   return blocking ? blocking.message : `The limit changes from ${oldLimit} to ${amount}.`;
 * }
 * ```
 */
export async function previewSolanaDelegation(
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
  const [mint, , owner] = infos;
  const program = mint?.owner.toBase58() ?? token.programAddress ?? TOKEN_PROGRAM;
  const tokenAccount = candidates.length === 1 ? candidates[0] : shownTokenAccount(plan, program);
  const account = infos[3 + candidates.indexOf(tokenAccount ?? '')];
  const check = () => checkAccounts(plan, infos, account);
  const broken = errorOf(check);
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
    problems: problemsOf(plan, problem, fees.needsFaucet, decoded && decoded.balance < plan.units),
  };
}
