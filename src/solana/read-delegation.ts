import { requireTokenProgram, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './addresses.js';
import { type TokenAccountInput, tokenAccountOf } from './approval.js';
import {
  addressObject,
  COMMITMENTS,
  requireCommitment,
  type SolanaCommitment,
  type SolanaReader,
} from './connection.js';
import { TokenAccountError } from './flow/errors.js';
import { decodeTokenAccount, type TokenAccount } from './token-account.js';

/** The token account to read, and the connection to read it from. */
export type ReadDelegationInput = TokenAccountInput & {
  /** A connection to the chain: a `Connection` of @solana/web3.js 1.x, or any with this method. */
  node: SolanaReader;
  /** How certain the cluster must be. Default `confirmed`. */
  commitment?: SolanaCommitment | undefined;
};

/** A token account with its address: who may spend from it, and how much. */
export type SolanaDelegation = TokenAccount & {
  /** The token account. */
  tokenAccount: string;
};

/**
 * Reads who may spend from a wallet's token account, and how much is left. `undefined` when there is
 * no such token account.
 *
 * Errors of the connection are passed on unchanged and may contain the node's URL with its key: do
 * not log them.
 *
 * @throws RequestValidationError when an address or `commitment` is invalid.
 * @throws ChainError with the code `token_account_unusable` when the mint does not exist, or does
 * not belong to `programAddress` or, without it, to a token program.
 *
 * @example
 * ```ts
 * import { readDelegation, SOLANA_CURRENCIES, type SolanaReader } from 'card-platform-sdk/solana';
 *
 * async function whoMaySpend(node: SolanaReader, owner: string): Promise<string> {
 *   const found = await readDelegation({ node, owner, mint: SOLANA_CURRENCIES.usdc.mint });
 *   return found?.delegate ? `${found.delegate}: ${found.delegatedAmount}` : 'nobody';
 * }
 * ```
 */
export async function readDelegation(
  input: ReadDelegationInput,
): Promise<SolanaDelegation | undefined> {
  return readTokenAccount(input);
}

const TOKEN_PROGRAMS: readonly unknown[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/**
 * Reads a token account with its address; `undefined` when there is no such account. Its address
 * depends on the program of the mint, which is read where the caller does not know it.
 *
 * @throws TokenAccountError when the mint does not exist, or belongs to another program than given
 */
async function readTokenAccount(input: ReadDelegationInput): Promise<SolanaDelegation | undefined> {
  // Checks the input before anything is read.
  const given = tokenAccountOf(input);
  const { mint, programAddress } = input;
  if (programAddress !== undefined) requireTokenProgram(programAddress);
  const commitment = requireCommitment(COMMITMENTS, input.commitment);
  const read = (address: string) => input.node.getAccountInfo(addressObject(address), commitment);
  const programOfMint = async () => programOf(await read(mint), programAddress);
  const isKnown = input.tokenAccount !== undefined || programAddress !== undefined;
  const tokenAccount = isKnown
    ? given
    : tokenAccountOf({ ...input, programAddress: await programOfMint() });
  const info = await read(tokenAccount);
  if (info === null) {
    // "Nobody may spend" is true only if this is where the tokens are.
    if (programAddress !== undefined) await programOfMint();
    return undefined;
  }
  const owner = info.owner.toBase58();
  if (
    owner !== programAddress &&
    (programAddress !== undefined || !TOKEN_PROGRAMS.includes(owner))
  ) {
    return undefined;
  }
  const account = decodeTokenAccount(info.data);
  return account && { tokenAccount, ...account };
}

function programOf(
  mint: Awaited<ReturnType<ReadDelegationInput['node']['getAccountInfo']>>,
  expected: string | undefined,
): string {
  if (mint === null) throw new TokenAccountError('mint_not_found');
  const program = mint.owner.toBase58();
  const isExpected = program === (expected ?? program);
  if (!isExpected || !TOKEN_PROGRAMS.includes(program))
    throw new TokenAccountError('wrong_program');
  return program;
}
