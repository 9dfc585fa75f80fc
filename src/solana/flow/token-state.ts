import type { DriverContext } from '../../delegation/driver.js';
import { requireTokenProgram } from '../addresses.js';
import { buildSolanaApproval, tokenAccountOf } from '../approval.js';
import { addressObject } from '../connection.js';
import type { SolanaInstruction } from '../instruction.js';
import { decodeMintDecimals, decodeTokenAccount, type TokenAccount } from '../token-account.js';
import { DelegateInUseError, TokenAccountError } from './errors.js';
import type { SolanaPlan } from './plan.js';

/** The state of the mint's program and of the token account on the chain. */
export type TokenState = { program: string; tokenAccount: string; account: TokenAccount };

async function accountInfo({ options }: SolanaPlan, context: DriverContext, address: string) {
  const commitment = options.commitment ?? 'confirmed';
  const read = () => options.connection.getAccountInfo(addressObject(address), commitment);
  return context.read('an account', read);
}

/** Checks the mint's decimals and returns the program that it belongs to. */
async function checkMint(plan: SolanaPlan, context: DriverContext): Promise<string> {
  const { mint, decimals, programAddress } = plan.token;
  const info = await accountInfo(plan, context, mint);
  const found = info === null ? undefined : decodeMintDecimals(info.data);
  if (info === null || found === undefined) throw new TokenAccountError('mint_not_found');
  const program = requireTokenProgram(info.owner.toBase58());
  if (programAddress !== undefined && programAddress !== program) {
    throw new TokenAccountError('wrong_program');
  }
  if (found !== decimals) throw new TokenAccountError('wrong_decimals');
  return program;
}

/** The token account of a plan, for a mint of the given program. */
function tokenAccountIn(plan: SolanaPlan, program: string): string {
  const { mint } = plan.token;
  const { tokenAccount } = plan.options;
  return tokenAccountOf({
    owner: plan.wallet.address,
    mint,
    programAddress: program,
    tokenAccount,
  });
}

/** Reads mint and token account, and throws if an approval is not possible. */
export async function readTokenState(
  plan: SolanaPlan,
  context: DriverContext,
): Promise<TokenState> {
  const program = await checkMint(plan, context);
  const tokenAccount = tokenAccountIn(plan, program);
  const info = await accountInfo(plan, context, tokenAccount);
  const account = info?.owner.toBase58() === program ? decodeTokenAccount(info.data) : undefined;
  if (account === undefined) throw new TokenAccountError('not_found');
  if (account.owner !== plan.wallet.address) throw new TokenAccountError('wrong_owner');
  if (account.mint !== plan.token.mint) throw new TokenAccountError('wrong_mint');
  if (account.isFrozen) throw new TokenAccountError('frozen');
  return { program, tokenAccount, account };
}

/** A token account has one delegate: another one is replaced only on request. */
export function requireFreeDelegate({ options }: SolanaPlan, { account }: TokenState): void {
  const { delegate, delegatedAmount } = account;
  const isOther = delegate !== null && delegate !== options.delegate && delegatedAmount > 0n;
  if (isOther && options.replaceDelegate !== true) {
    throw new DelegateInUseError(delegate, delegatedAmount);
  }
}

/** The instruction that the user approves. */
export function buildApproval(plan: SolanaPlan, program: string): SolanaInstruction {
  const { mint, decimals } = plan.token;
  return buildSolanaApproval({
    owner: plan.wallet.address,
    mint,
    decimals,
    programAddress: program,
    delegate: plan.options.delegate,
    tokenAccount: plan.options.tokenAccount,
    amount: plan.units,
  });
}
