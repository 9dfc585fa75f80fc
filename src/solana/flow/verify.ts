import { AllowanceRacedError, ApprovalMismatchError } from '../../delegation/approval-errors.js';
import type { DriverContext } from '../../delegation/driver.js';
import { ChainReadError } from '../../delegation/wallet-errors.js';
import type { ExecutedTransaction } from '../connection.js';
import type { SolanaInstruction } from '../instruction.js';
import type { SolanaPlan } from './plan.js';
import { buildApproval, readTokenState, type TokenState } from './token-state.js';

type Executed = { program: string; accounts: readonly string[]; data: string };

function instructionsOf({ transaction }: ExecutedTransaction): Executed[] {
  const { staticAccountKeys, compiledInstructions } = transaction.message;
  const addressAt = (index: number) => staticAccountKeys[index]?.toBase58() ?? '';
  return compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: addressAt(programIdIndex),
    accounts: accountKeyIndexes.map(addressAt),
    // A Buffer would become text by String().
    data: Uint8Array.from(data).join(),
  }));
}

/** Wallets may add a priority fee; the only token program instruction must be ours. */
function differenceOf(executed: readonly Executed[], asked: SolanaInstruction): string | undefined {
  const ofProgram = executed.filter(({ program }) => program === asked.programAddress);
  const [only] = ofProgram;
  if (only === undefined || ofProgram.length !== 1) return 'instructions';
  const accounts = asked.accounts.map(({ address }) => address);
  const names = ['tokenAccount', 'mint', 'delegate', 'owner'];
  const wrong = accounts.findIndex((address, index) => only.accounts[index] !== address);
  if (wrong >= 0 || only.accounts.length !== accounts.length) return names[wrong] ?? 'accounts';
  return only.data === asked.data.join() ? undefined : 'amount';
}

async function executedBy(plan: SolanaPlan, signature: string, context: DriverContext) {
  const { connection, commitment = 'confirmed' } = plan.options;
  const config = { commitment, maxSupportedTransactionVersion: 0 };
  return context.read('the transaction', () => connection.getTransaction(signature, config));
}

/** Compares the executed transaction with the request, and checks the delegation on the chain. */
export async function verify(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<void> {
  const { delegate, delegatedAmount } = (await compare(plan, signature, context)).account;
  // Part of it may already be spent; more, or another delegate, comes from another approval.
  const isSpent = delegate === null && delegatedAmount === 0n;
  const isOurs = delegate === plan.options.delegate && delegatedAmount <= plan.units;
  if (!isOurs && !isSpent) {
    throw new AllowanceRacedError(plan.units, delegatedAmount, 'executed', signature);
  }
}

/** Compares the executed transaction with the request; returns the current token account. */
export async function compare(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<TokenState> {
  const executed = await executedBy(plan, signature, context);
  if (executed === null) throw new ChainReadError('the transaction is gone', 'unknown');
  const state = await readTokenState(plan, context);
  const difference = differenceOf(instructionsOf(executed), buildApproval(plan, state.program));
  if (difference !== undefined) throw new ApprovalMismatchError(difference, signature);
  return state;
}

/** Whether a transaction of the token account is the requested approval. */
export async function isApproval(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<boolean> {
  const executed = await executedBy(plan, signature, context);
  if (executed === null) return false;
  const { program } = await readTokenState(plan, context);
  return differenceOf(instructionsOf(executed), buildApproval(plan, program)) === undefined;
}
