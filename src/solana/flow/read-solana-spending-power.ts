import type { SolanaSpendingPowerInput, SolanaSpendingPowers } from '../spending-power-types.js';
import { readSpendingPower } from './spending-power.js';

/**
 * Returns how much the platform's delegate can spend from each registered Solana wallet now: the
 * smaller of what is left of the limit and the balance. One request reads up to 100 accounts: each mint
 * once, and one or two token accounts of each wallet.
 *
 * @throws RequestValidationError for invalid input. An unusable entry of the list is not an error:
 * see `leftOut`.
 * @throws ChainError with `chain_unreadable` when the node cannot be read.
 *
 * @example
 * ```ts
 * import { readSolanaSpendingPower, type SolanaConnection } from 'card-platform-sdk/solana';
 *
 * async function bars(node: SolanaConnection, spender: string, wallets: readonly unknown[]) {
 *   const found = await readSolanaSpendingPower({ wallets, node, spender });
 *   return found.wallets.map(({ currency, spendable, cap }) => `${spendable} of ${cap} ${currency}`);
 * }
 * ```
 */
export async function readSolanaSpendingPower(
  input: SolanaSpendingPowerInput,
): Promise<SolanaSpendingPowers> {
  return readSpendingPower(input);
}
