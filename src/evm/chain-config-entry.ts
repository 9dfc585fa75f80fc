import type { ChainConfig } from '../contract/delegation.js';
import type { EvmChainConfig } from './chain-config.js';
import { parseEvmChainConfig } from './chain-config.js';

/**
 * Returns the EVM networks, tokens and spenders of the service's chain configuration, for the option
 * `networks`. Chain ids may be decimal, hex or prefixed with `eip155:`, decimals may be text, and
 * addresses may be in any case. Entries that cannot be used, such as the one for Solana, are listed
 * in `skipped`.
 *
 * A name that the API contract lists is spelled as it is there. Any other name is kept, except that
 * one in capitals becomes lower case. If entries of one network differ in chain or spender, none is
 * used.
 *
 * @throws RequestValidationError when the configuration has no list of networks.
 *
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { evmNetworksFromChainConfig } from 'card-platform-sdk/evm';
 *
 * async function load(client: CardPlatformClient) {
 *   const config = await client.delegation.chainConfig();
 *   const { networks, spenders, skipped } = await evmNetworksFromChainConfig(config);
 *   console.log(skipped);
 *   return { networks, spender: spenders['base'] };
 * }
 * ```
 */
export async function evmNetworksFromChainConfig(config: ChainConfig): Promise<EvmChainConfig> {
  return parseEvmChainConfig(config);
}
