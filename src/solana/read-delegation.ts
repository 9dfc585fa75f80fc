import { requireTokenProgram, TOKEN_PROGRAM } from './addresses.js';
import { type TokenAccountInput, tokenAccountOf } from './approval.js';
import { addressObject, type SolanaCommitment, type SolanaReader } from './connection.js';
import { decodeTokenAccount, type TokenAccount } from './token-account.js';

/** Which token account to read, and where. */
export type ReadDelegationInput = TokenAccountInput & {
  /** A connection to the chain: a `Connection` of @solana/web3.js 1.x, or any with this method. */
  connection: SolanaReader;
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
 * @throws RequestValidationError when an address is invalid; errors of the connection are
 * passed on unchanged and may contain the node's URL with its key: do not log them.
 *
 * @example
 * ```ts
 * import { readDelegation, SOLANA_CURRENCIES, type SolanaReader } from 'card-platform-sdk/solana';
 *
 * async function whoMaySpend(connection: SolanaReader, owner: string): Promise<string> {
 *   const found = await readDelegation({ connection, owner, mint: SOLANA_CURRENCIES.usdc.mint });
 *   return found?.delegate ? `${found.delegate}: ${found.delegatedAmount}` : 'nobody';
 * }
 * ```
 */
export async function readDelegation(
  input: ReadDelegationInput,
): Promise<SolanaDelegation | undefined> {
  const tokenAccount = tokenAccountOf(input);
  const commitment = input.commitment ?? 'confirmed';
  const info = await input.connection.getAccountInfo(addressObject(tokenAccount), commitment);
  const program = requireTokenProgram(input.programAddress ?? TOKEN_PROGRAM);
  if (info?.owner.toBase58() !== program) return undefined;
  const account = decodeTokenAccount(info.data);
  return account && { tokenAccount, ...account };
}
