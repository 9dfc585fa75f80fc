import type { SolanaDelegationPreview } from '../preview-types.js';
import type { SolanaDelegationOptions } from './options.js';
import { runSolanaPreview } from './preview.js';

/**
 * Returns what `delegateSolana` would do with the same options: limits, balances, fee, and whether
 * anything prevents it now. The wallet is not asked and nothing is sent. If the connection has
 * `simulateTransaction`, the node tries the approval.
 *
 * Endpoints: `GET /v1/delegation/chain/config`, only with `'chain-config'`.
 *
 * @throws RequestValidationError for invalid input.
 * @throws ChainError with `chain_unreadable` when the node cannot be read, `chain_config_unusable`
 * or `spender_not_confirmed`.
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
  return runSolanaPreview(options);
}
