import { runReadSpendingPower } from './run-read.js';
import type { EvmSpendingPowerOptions, EvmSpendingPowers } from './types.js';

/**
 * Returns how much the card can spend now from each registered wallet: the smaller of the remaining
 * limit on the chain and the wallet's balance. Where the node allows it, one request reads up to 150
 * wallets.
 *
 * @throws RequestValidationError for invalid input.
 * @throws ChainReadError when the node fails.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { type EvmNode, readEvmSpendingPower } from 'card-platform-sdk/evm';
 *
 * async function bars(client: CardPlatformClient, node: EvmNode, spender: string) {
 *   const listed = await client.wallets.external.list();
 *   const { wallets } = await readEvmSpendingPower({ wallets: listed, node, spender });
 *   return wallets.map(({ spendable, cap, currency }) => `${spendable} of ${cap} ${currency}`);
 * }
 * ```
 */
export async function readEvmSpendingPower(
  options: EvmSpendingPowerOptions,
): Promise<EvmSpendingPowers> {
  return runReadSpendingPower(options);
}
