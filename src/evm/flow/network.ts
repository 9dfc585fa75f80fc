import { isObject } from '../../contract/formats/is-object.js';
import { invalid } from '../../delegation/check-values.js';
import type { ReadingOptions } from '../../delegation/reading-context.js';
import type { EvmNode } from '../chain/json-rpc.js';
import { plainReader } from '../chain/reader.js';
import { networkOfChain } from '../networks.js';
import type { EvmDelegationOptions } from './options.js';

type NetworkOptions = ReadingOptions & Pick<EvmDelegationOptions, 'network' | 'networks' | 'node'>;

/** Options whose network is known. */
export type OnNetwork<Options> = Options & { readonly network: string };

/**
 * Returns the options with the name of the network: the caller's, or the one that has the chain of the
 * node. The node is read only if it does not say itself which chain it is for, as one of viem does.
 *
 * @throws RequestValidationError when the chain is not that of exactly one known network
 */
export async function withNetwork<Options extends NetworkOptions>(
  options: Options,
): Promise<OnNetwork<Options>> {
  const { network, networks, node } = options;
  if (network !== undefined) return { ...options, network };
  if (networks === 'chain-config') invalid('network', "is needed with networks: 'chain-config'");
  const chainId = chainOf(node) ?? (await plainReader(options).chainId());
  return { ...options, network: networkOfChain(chainId, networks) };
}

/** The chain that a viem client was created for. The flow compares it with the node's. */
function chainOf(node: EvmNode & { chain?: unknown }): number | undefined {
  const id = isObject(node.chain) ? node.chain['id'] : undefined;
  return Number.isSafeInteger(id) ? Number(id) : undefined;
}
