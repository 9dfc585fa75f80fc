import { requireTokenProgram, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses.js';
import { tokenAccountOf } from '../approval.js';
import { addressObject } from '../connection.js';
import type { ReadDelegationInput, SolanaDelegation } from '../delegation-types.js';
import { decodeTokenAccount } from '../token-account.js';
import { COMMITMENTS, requireCommitment } from './commitment.js';
import { TokenAccountError } from './errors.js';

const TOKEN_PROGRAMS: readonly unknown[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM];

/**
 * Reads a token account with its address; `undefined` when there is no such account. Its address
 * depends on the program of the mint, which is read where the caller does not know it.
 *
 * @throws TokenAccountError when the mint does not exist, or belongs to another program than given
 */
export async function readTokenAccount(
  input: ReadDelegationInput,
): Promise<SolanaDelegation | undefined> {
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
