import { AllowanceRacedError } from '../../delegation/approval-errors.js';
import { type ApprovalDifference, throwMismatch } from '../../delegation/changed-limit.js';
import type { DriverContext } from '../../delegation/driver.js';
import { ChainReadError } from '../../delegation/wallet-errors.js';
import type { ExecutedTransaction } from '../connection.js';
import { littleEndian, type SolanaInstruction } from '../instruction.js';
import type { TokenAccount } from '../token-account.js';
import { buildInstruction } from './build-instruction.js';
import type { SolanaPlan } from './plan.js';
import { checkExecuted, readAgain } from './read-chain.js';
import { readProgram, readTokenState, STALE_LIMIT_MS } from './token-state.js';

type Executed = { program: string; accounts: readonly string[]; data: Uint8Array };

function instructionsOf({ transaction, meta }: ExecutedTransaction): Executed[] {
  const { staticAccountKeys, compiledInstructions } = transaction.message;
  const { writable = [], readonly = [] } = meta?.loadedAddresses ?? {};
  const keys = [...staticAccountKeys, ...writable, ...readonly];
  const addressAt = (index: number) => keys[index]?.toBase58() ?? '';
  return compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
    program: addressAt(programIdIndex),
    accounts: accountKeyIndexes.map(addressAt),
    // Some connections return a Buffer, some an array.
    data: Uint8Array.from(data),
  }));
}

/** Wallets may add a priority fee; the only token program instruction must be ours. */
function differenceOf(
  executed: readonly Executed[],
  asked: SolanaInstruction,
): ApprovalDifference | undefined {
  const ofProgram = executed.filter(({ program }) => program === asked.programAddress);
  const [only] = ofProgram;
  if (only === undefined || ofProgram.length !== 1) return { field: 'instructions' };
  const accounts = asked.accounts.map(({ address }) => address);
  const wrong = accounts.findIndex((address, index) => only.accounts[index] !== address);
  if (wrong >= 0 || only.accounts.length !== accounts.length) {
    const names =
      accounts.length === APPROVAL_ACCOUNTS.length ? APPROVAL_ACCOUNTS : REVOKE_ACCOUNTS;
    return { field: names[wrong] ?? 'accounts' };
  }
  if (only.data.join() === asked.data.join()) return undefined;
  return { field: 'amount', approved: decodeApprovedUnits(only.data, asked.data) };
}

const APPROVAL_ACCOUNTS = ['tokenAccount', 'mint', 'delegate', 'owner'];
const REVOKE_ACCOUNTS = ['tokenAccount', 'owner'];

/** The amount of an instruction that differs from the request in nothing else, or `undefined`. */
function decodeApprovedUnits(data: Uint8Array, asked: Uint8Array): bigint | undefined {
  const isSame = data.length === asked.length && data[0] === asked[0] && data[9] === asked[9];
  return isSame && data.length === APPROVAL_SIZE ? littleEndian(data.subarray(1, 9)) : undefined;
}

/** Type, amount and decimals of `ApproveChecked`. */
const APPROVAL_SIZE = 10;

/** Reads an executed transaction. A node that lags does not know it yet. */
async function executedBy(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
  limit?: number,
) {
  const { commitment } = plan;
  const { node: connection } = plan.options;
  const config = { commitment, maxSupportedTransactionVersion: 0 };
  return readAgain(context, {
    what: 'the transaction',
    read: async () => checkExecuted(await connection.getTransaction(signature, config)),
    isUsable: (executed) => executed !== null,
    limit,
  });
}

/** Compares the executed transaction with the request, and checks the delegation on the chain. */
export async function verify(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<void> {
  const isExpected = ({ delegate, delegatedAmount }: TokenAccount) => {
    if (plan.revokeWith !== undefined) return delegate !== plan.spender || delegatedAmount === 0n;
    // Part of it may already be spent; more, or another delegate, comes from another approval.
    const isSpent = delegate === null && delegatedAmount === 0n;
    return isSpent || (delegate === plan.spender && delegatedAmount <= plan.units);
  };
  await compare(plan, signature, context);
  const limit = Math.min(STALE_LIMIT_MS, plan.confirmationTimeout);
  const { account } = await readTokenState(plan, context, isExpected, limit);
  if (!isExpected(account)) {
    throw new AllowanceRacedError(plan.units, account.delegatedAmount, 'executed', signature);
  }
}

/**
 * Compares the executed transaction with the request, whatever is left of the limit. One that failed has
 * approved nothing.
 */
export async function compare(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<void> {
  const executed = await executedBy(plan, signature, context, plan.confirmationTimeout);
  if (executed === null) throw new ChainReadError('the transaction is gone', 'unknown');
  const asked = buildInstruction(plan, await readProgram(plan, context));
  const difference: ApprovalDifference | undefined = executed.meta?.err
    ? { field: 'transaction' }
    : differenceOf(instructionsOf(executed), asked);
  if (difference === undefined) return;
  const { token, largest } = plan;
  throwMismatch(context, signature, difference, { decimals: token.decimals, largest });
}

/**
 * What a transaction of the token account is: the requested approval (`same`), an approval of the same
 * spender that the user or the wallet changed (`edited`), another one that changes who may spend
 * (`replacing`), or anything else (`other`). `undefined` if the node does not return it.
 */
export type ApprovalLikeness = 'same' | 'edited' | 'replacing' | 'other' | undefined;

/** Compares a transaction of the token account with the request. */
export async function likenessOf(
  plan: SolanaPlan,
  signature: string,
  context: DriverContext,
): Promise<ApprovalLikeness> {
  const executed = await executedBy(plan, signature, context);
  if (executed === null) return undefined;
  if (executed.meta?.err) return 'other';
  const asked = buildInstruction(plan, await readProgram(plan, context));
  const instructions = instructionsOf(executed);
  if (differenceOf(instructions, asked) === undefined) return 'same';
  if (instructions.some((one) => isEditOf(one, asked))) return 'edited';
  return instructions.some((one) => isReplacing(one, asked)) ? 'replacing' : 'other';
}

/** `Approve`, `Revoke` and `ApproveChecked` of a token program. */
const REPLACING: readonly unknown[] = [4, 5, 13];

/** Whether an instruction changes who may spend from the same token account. */
function isReplacing({ program, accounts, data }: Executed, asked: SolanaInstruction): boolean {
  const isOfAccount =
    program === asked.programAddress && accounts[0] === asked.accounts[0]?.address;
  return isOfAccount && REPLACING.includes(data[0]);
}

/** Whether an instruction does the same with the same accounts, for whatever amount. */
function isEditOf({ program, accounts, data }: Executed, asked: SolanaInstruction): boolean {
  return (
    program === asked.programAddress &&
    data[0] === asked.data[0] &&
    accounts.join() === asked.accounts.map(({ address }) => address).join()
  );
}
