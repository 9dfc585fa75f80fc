import { invalid } from '../delegation/check-values.js';
import {
  createStoredDelegation,
  type Delegation,
  type DelegationChain,
  type StoredDelegationResult,
} from '../delegation/create-delegation.js';
import type { DelegationOptions } from '../delegation/options.js';
import { EVM_DELEGATIONS } from '../evm/flow/create-delegation.js';
import type {
  EvmCheckedNames,
  EvmDelegationClient,
  EvmDelegationInput,
  EvmDelegationOptions,
} from '../evm/index.js';
import { networkOfChain } from '../evm/networks.js';
import { indexedDbStore } from '../stores/indexed-db-store.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { memoryStore } from '../stores/memory-store.js';
import { chainIn, nodeOf, type WagmiConfig, type WagmiStorage, walletOf } from './config.js';

const stores = new WeakMap<object, KeyValueStore>();

/**
 * Where the delegations of a config are kept: IndexedDB if available, because its changes are
 * atomic across tabs, and because wagmi's storage may be a cookie, which is sent to a server. Elsewhere,
 * as in React Native, the storage of the config, which one process uses alone.
 */
function storeOf(config: WagmiConfig): KeyValueStore {
  const known = stores.get(config);
  if (known !== undefined) return known;
  const { indexedDB } = globalThis as { indexedDB?: unknown };
  const { storage } = config;
  const store = indexedDB ? indexedDbStore() : storage ? storeFromStorage(storage) : memoryStore();
  stores.set(config, store);
  return store;
}

/** The storage of wagmi as a store. The changes of one process come one after the other. */
function storeFromStorage(storage: WagmiStorage): KeyValueStore {
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => T): Promise<Awaited<T>> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result as Promise<Awaited<T>>;
  }
  const get = async (key: string): Promise<string | undefined> => {
    const value = await storage.getItem(key as never);
    return typeof value === 'string' ? value : undefined;
  };
  const set = (key: string, value: string) => storage.setItem(key as never, value as never);
  const remove = (key: string) => storage.removeItem(key as never);
  return {
    get: (key) => inTurn(() => get(key)),
    set: (key, value) => inTurn(() => set(key, value)),
    delete: (key) => inTurn(() => remove(key)),
    update: (key, change) =>
      inTurn(async () => {
        const next = change(await get(key));
        await (next === undefined ? remove(key) : set(key, next));
      }),
  };
}

/** What wagmi already knows, and what follows from it. */
type Known = 'wallet' | 'address' | 'node' | 'switchNetwork' | 'network';

/** The options of a delegation with wagmi. */
export type WagmiDelegationInput = Omit<EvmDelegationInput, Known> & {
  /** The chain, which must be one of the config. The wallet is asked to switch to it. */
  chainId: number;
  /**
   * The network's name at the service. Default: the one of `linea`, `ethereum` and `networks` that has
   * the chain.
   */
  network?: string | undefined;
};

/** The options of `createDelegation` that have nothing to do with the limit. */
export type WagmiDelegationParts = {
  /** The client of the user who delegates, or an object with the same methods. */
  client: EvmDelegationClient;
  /**
   * Where the progress is kept. Default: IndexedDB. Without it, the storage of the config. If the
   * config has none, memory, which a reload clears.
   */
  store?: KeyValueStore | undefined;
  /** Id of the user, if several users of the platform share the store. */
  user?: string | undefined;
};

/**
 * The options of `start`: every required one that `createDelegation` was not given, and any others.
 */
export type WagmiStartInput<Given> = Omit<WagmiDelegationInput, keyof Given> &
  Partial<WagmiDelegationInput>;

/** The names in the options that the compiler checks: see {@link EvmCheckedNames}. */
export type WagmiCheckedNames<Options> = Partial<Omit<EvmCheckedNames<Options>, 'network'>>;

/** A delegation from the wallet that is connected with wagmi. */
export type WagmiDelegation<Given = object> = Omit<
  Delegation<object, Omit<WagmiStartInput<Given>, 'amount'>>,
  'start'
> & {
  /** See {@link Delegation.start}. */
  start<const Input extends WagmiStartInput<Given>>(
    input: Input & WagmiCheckedNames<Given & Input>,
  ): Promise<StoredDelegationResult>;
};

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
        network: options.network ?? networkOf(chainId, options.networks),
        wallet: await walletOf(config),
        node: nodeOf(config, chainId),
        switchNetwork: chainIn(config, chainId),
      });
      return { ...found, options: { ...found.options, chainId } };
    },
    run: ({ chainId: _, ...options }, keeper) => EVM_DELEGATIONS.run(options, keeper),
  };
}

function networkOf(chainId: number, networks: EvmDelegationOptions['networks']): string {
  return networkOfChain(chainId, networks === 'chain-config' ? undefined : networks);
}

/**
 * Creates a delegation from the wallet that is connected with wagmi. Connector, node and chains come
 * from the config; the wallet is asked to switch to the chain, and to add it if it does not know it.
 * It keeps its state as `createDelegation` of `card-platform-sdk/evm` does. Create it once for each
 * user, outside React.
 *
 * Every option can be given here or to `start`.
 *
 * @throws RequestValidationError without a client, and for a `user` that is not a string
 * @throws ConfigurationError for a store that lacks a function
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
  options: WagmiDelegationParts & Given & WagmiCheckedNames<Given>,
): WagmiDelegation<Given> {
  const { store = storeOf(config), ...rest }: WagmiDelegationParts = Object(options);
  const delegation = createStoredDelegation({ ...rest, store }, chainOf(config));
  return delegation as unknown as WagmiDelegation<Given>;
}

/**
 * Sets the limit of the wallet that is connected with wagmi, or continues an earlier delegation of it:
 * `createDelegation` and `start` in one. Use `createDelegation` to show the progress.
 *
 * Endpoints and errors: as `delegateEvm`. When the store fails, it ends with the code
 * `delegation_not_saved`.
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
export async function delegate<const Input extends WagmiDelegationInput>(
  config: WagmiConfig,
  options: WagmiDelegationParts & Input & WagmiCheckedNames<Input>,
): Promise<StoredDelegationResult> {
  // The compiler has checked the names of the caller.
  const checked: WagmiDelegationParts & WagmiDelegationInput = options;
  return createDelegation(config, checked).start({});
}
