import type { ReadDelegationInput, SolanaDelegation } from './delegation-types.js';
import { readTokenAccount } from './flow/read-token-account.js';

/**
 * Reads who may spend from a wallet's token account, and how much is left. `undefined` when there is
 * no such token account.
 *
 * @throws RequestValidationError when an address or `commitment` is invalid.
 * Errors of the connection are passed on unchanged and may
 * contain the node's URL with its key: do not log them.
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
