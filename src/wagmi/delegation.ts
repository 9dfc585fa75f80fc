import {
  createStoredDelegation,
  type Delegation,
  type DelegationChain,
  type StoredDelegationResult,
} from '../delegation/create-delegation.js';
import { invalid } from '../delegation/invalid.js';
import type { DelegationOptions } from '../delegation/options.js';
import { EVM_DELEGATIONS } from '../evm/flow/create-delegation.js';
import type {
  EvmDelegationClient,
  EvmDelegationInput,
  EvmDelegationOptions,
} from '../evm/index.js';
import { EVM_NETWORKS } from '../evm/networks.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { chainIn, nodeOf, type WagmiConfig, walletOf } from './config.js';
import { storeOf } from './store.js';

/** What wagmi already knows, and what follows from it. */
type Known = 'wallet' | 'address' | 'node' | 'switchNetwork' | 'network';

/** The options of a delegation with wagmi. */
export type WagmiDelegationInput = Omit<EvmDelegationInput, Known> & {
  /** The chain, which must be one of the config. The wallet is asked to switch to it. */
  chainId: number;
  /**
   * The network as the service names it. Default: `linea` or `ethereum` by the chain; needed for any
   * other chain, with `networks`.
   */
  network?: string | undefined;
};

/** The options of `createDelegation` that have nothing to do with the limit. */
export type WagmiDelegationParts = {
  /** The client of the user who delegates, or an object with the same methods. */
  client: EvmDelegationClient;
  /** Default: IndexedDB; without it, the storage of the config. */
  store?: KeyValueStore | undefined;
  /** Id of the user, if several users of the platform share the store. */
  user?: string | undefined;
};

/** The options of `start`: those that `createDelegation` was not given, and any other. */
export type WagmiStartInput<Given> = Omit<WagmiDelegationInput, keyof Given> &
  Partial<WagmiDelegationInput>;

/** A delegation from the wallet that is connected with wagmi. */
export type WagmiDelegation<Given = object> = Delegation<
  WagmiStartInput<Given>,
  Omit<WagmiStartInput<Given>, 'amount' | 'cap'>
>;

type FlowOptions = WagmiDelegationInput &
  Pick<DelegationOptions, 'signal' | 'onProgress' | 'approveAgain' | 'resume'> & {
    client: EvmDelegationClient;
  };

/** A flow whose options are found in the config when it starts. */
function chainOf(config: WagmiConfig): DelegationChain<FlowOptions & EvmDelegationOptions> {
  return {
    kind: EVM_DELEGATIONS.kind,
    ownerOf: async () => (await walletOf(config)).address.toLowerCase(),
    async locate({ chainId, ...options }) {
      if (!Number.isSafeInteger(chainId)) invalid('chainId', 'must be the number of a chain');
      const found = await EVM_DELEGATIONS.locate({
        ...options,
        network: options.network ?? networkOf(chainId),
        wallet: await walletOf(config),
        node: nodeOf(config, chainId),
        switchNetwork: chainIn(config, chainId),
      });
      return { ...found, options: { ...found.options, chainId } };
    },
    run: ({ chainId: _, ...options }, keeper) => EVM_DELEGATIONS.run(options, keeper),
  };
}

function networkOf(chainId: number): string {
  const known = Object.entries(EVM_NETWORKS).find(([, network]) => network.chainId === chainId);
  return known?.[0] ?? invalid('network', 'is needed for this chain, with networks');
}

/**
 * Creates a delegation from the wallet that is connected with wagmi. Connector, node and chains come
 * from the config; the wallet is asked to switch to the chain, and to add it if it does not know it.
 * It keeps its state as `createDelegation` of `card-platform-sdk/evm` does. Create it once for each
 * user, outside React.
 *
 * Every option can be given here or to `start`.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { createDelegation, type WagmiConfig } from 'card-platform-sdk/wagmi';
 * import { linea } from 'viem/chains';
 *
 * function createLimit(config: WagmiConfig, client: CardPlatformClient, spender: string) {
 *   return createDelegation(config, { client, chainId: linea.id, currency: 'usdc', spender });
 * }
 * ```
 */
export function createDelegation<const Given extends Partial<WagmiDelegationInput>>(
  config: WagmiConfig,
  options: WagmiDelegationParts & Given,
): WagmiDelegation<Given> {
  const { store = storeOf(config), ...rest }: WagmiDelegationParts = Object(options);
  const delegation = createStoredDelegation({ ...rest, store }, chainOf(config));
  return delegation as unknown as WagmiDelegation<Given>;
}

/**
 * Sets the limit of the wallet that is connected with wagmi, or continues an earlier delegation of it:
 * `createDelegation` and `start` in one. Use `createDelegation` to show the progress.
 *
 * Endpoints and errors: as `delegateEvm`.
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { delegate, type WagmiConfig } from 'card-platform-sdk/wagmi';
 * import { linea } from 'viem/chains';
 *
 * function setLimit(config: WagmiConfig, client: CardPlatformClient, spender: string) {
 *   const limit = { chainId: linea.id, currency: 'usdc', amount: '250' };
 *   return delegate(config, { client, spender, ...limit });
 * }
 * ```
 */
export async function delegate(
  config: WagmiConfig,
  options: WagmiDelegationParts & WagmiDelegationInput,
): Promise<StoredDelegationResult> {
  return createDelegation(config, options).start({});
}
