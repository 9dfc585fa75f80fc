import { requireTokenProgram, TOKEN_PROGRAM } from '../addresses.js';
import { tokenAccountOf } from '../approval.js';
import { addressObject } from '../connection.js';
import type { ReadDelegationInput, SolanaDelegation } from '../delegation-types.js';
import { decodeTokenAccount } from '../token-account.js';
import { COMMITMENTS, requireCommitment } from './commitment.js';

/** Reads a token account with its address; `undefined` when there is no such account. */
export async function readTokenAccount(
  input: ReadDelegationInput,
): Promise<SolanaDelegation | undefined> {
  const tokenAccount = tokenAccountOf(input);
  const commitment = requireCommitment(COMMITMENTS, input.commitment);
  const info = await input.connection.getAccountInfo(addressObject(tokenAccount), commitment);
  const program = requireTokenProgram(input.programAddress ?? TOKEN_PROGRAM);
  if (info?.owner.toBase58() !== program) return undefined;
  const account = decodeTokenAccount(info.data);
  return account && { tokenAccount, ...account };
}
