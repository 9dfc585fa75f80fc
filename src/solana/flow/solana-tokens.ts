import type { SolanaTokenTable } from '../chain-config-types.js';
import { readTokenTable } from './chain-config.js';

/**
 * Returns the Solana tokens of a chain configuration: mint, decimals and delegate of each currency,
 * in the form that `delegateSolana` accepts, and the entries that cannot be used, with the reason.
 * Do not present the delegate as trusted before you have compared it with the one you know.
 *
 * @param config the result of `client.delegation.chainConfig()` (a preview endpoint)
 * An unusable configuration is not an error.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { solanaTokensFromChainConfig } from 'card-platform-sdk/solana';
 *
 * async function usdcOf(client: CardPlatformClient) {
 *   const config = await client.delegation.chainConfig();
 *   const { tokens } = await solanaTokensFromChainConfig(config);
 *   return tokens.find(({ currency }) => currency === 'usdc');
 * }
 * ```
 */
export async function solanaTokensFromChainConfig(config: unknown): Promise<SolanaTokenTable> {
  return readTokenTable(config);
}
