import { runPreview } from './run-preview.js';
import type { EvmDelegationPreview, EvmPreviewOptions } from './types.js';

/**
 * Returns what `delegateEvm` would do with the same options, without opening the wallet: spender,
 * token and amount, the old limit, the fee, and the problems that it would have. A test run on the
 * node finds a token that is paused, blocks the account, or must be reset first.
 *
 * Endpoint: `GET /v1/delegation/chain/config` with `'chain-config'`; otherwise none.
 *
 * @throws RequestValidationError for invalid input.
 * @throws ChainReadError when token, spender or old limit cannot be read. A fee or balance that
 *   cannot be read is `undefined`.
 * @throws ChainError with the codes `wrong_chain` (of the node), `token_decimals_differ`,
 *   `spender_without_code`, `chain_config_unusable`, `spender_not_confirmed`,
 *   and `wallet_failed` when no account of `wallet` is connected.
 *
 * @example
 * ```ts
 * import { type EvmNode, previewEvmDelegation } from 'card-platform-sdk/evm';
 *
 * async function show(node: EvmNode, address: string, spender: string) {
 *   const preview = await previewEvmDelegation({
 *     node,
 *     address,
 *     network: 'linea',
 *     currency: 'usdc',
 *     amount: '250',
 *     spender,
 *   });
 *   return `${preview.oldLimit} -> ${preview.amount}, ${preview.transactions} transaction(s)`;
 * }
 * ```
 */
export async function previewEvmDelegation(
  options: EvmPreviewOptions,
): Promise<EvmDelegationPreview> {
  return runPreview(options);
}
