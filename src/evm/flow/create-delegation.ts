import { baseUnitsToDecimal } from '../../contract/formats/decimal.js';
import {
  createStoredDelegation,
  type Delegation,
  type DelegationChain,
  type DelegationStartOptions,
  type DelegationStoreOptions,
  type StoredDelegationResult,
} from '../../delegation/create-delegation.js';
import { checkAddress } from '../address.js';
import { planSpender } from '../approval/spending-limit.js';
import { toEvmWallet } from '../wallets/to-evm-wallet.js';
import { checkEvmOptions, runEvmDelegation } from './delegate-evm.js';
import { lockKeyOf } from './driver.js';
import type { EvmCheckedNames, EvmDelegationClient, EvmDelegationOptions } from './options.js';
import { resolveLimit, withNetwork } from './resolve-limit.js';

/** The options of a delegation. Each can be passed to `createDelegation`. */
export type EvmDelegationInput = Omit<
  EvmDelegationOptions,
  'client' | 'resume' | 'signal' | 'onProgress' | 'approveAgain'
> &
  DelegationStartOptions;

/**
 * The options of `start`: every required one that `createDelegation` was not given, and any others.
 */
export type EvmStartInput<Given> = Omit<EvmDelegationInput, keyof Given> &
  Partial<EvmDelegationInput>;

/** The options of `resume`: as `start`, without `amount`. */
export type EvmResumeInput<Given> = Omit<EvmStartInput<Given>, 'amount'>;

/** A delegation from an EVM wallet that keeps its own state. */
export type EvmDelegation<Given = object> = Omit<Delegation<object, object>, 'start' | 'resume'> & {
  /** See {@link Delegation.start}. */
  start<const Input extends EvmStartInput<Given>>(
    input: Input & Partial<EvmCheckedNames<Given & Input>>,
  ): Promise<StoredDelegationResult>;
  /** See {@link Delegation.resume}. */
  resume(
    ...input: object extends EvmResumeInput<Given>
      ? [input?: EvmResumeInput<Given>]
      : [input: EvmResumeInput<Given>]
  ): Promise<StoredDelegationResult | undefined>;
};

/** How delegations run on EVM chains. */
export const EVM_DELEGATIONS: DelegationChain<EvmDelegationOptions> = {
  kind: 'evm',
  ownerOf: async ({ wallet, address }) =>
    (await toEvmWallet(wallet, address)).address.toLowerCase(),
  async locate(options) {
    const checked = await withNetwork(checkEvmOptions(options));
    const owner = checkAddress(
      'address',
      (await toEvmWallet(options.wallet, options.address)).address,
    );
    const { networks, spender, network, currency } = await resolveLimit(checked);
    const place = planSpender({ networks, spender, network, currency });
    return {
      // The service was asked, and the spender confirmed: the flow does neither again.
      options: { ...checked, networks, spender, address: owner },
      key: lockKeyOf({ ...place, owner }),
      amountOf: (units) => baseUnitsToDecimal(BigInt(units), place.decimals),
    };
  },
  run: runEvmDelegation,
};

/**
 * Creates a delegation for a page or an app: `delegateEvm` that keeps its own state. The progress
 * is kept in the store, by wallet, asset and spender, so that a reload, a closed tab, a second
 * click and a second tab never lead to a second approval. `subscribe` and `getState` fit
 * `useSyncExternalStore` of React and the stores of other frameworks.
 *
 * Every option of `delegateEvm` can be given here or to `start`, except `resume`, `approveAgain`,
 * `signal` and `onProgress`: in their place are the method `resume`, the option `replace`, and the
 * methods `cancel` and `subscribe`.
 *
 * @throws RequestValidationError without a client, and for a `user` that is not a string
 * @throws ConfigurationError for a store that lacks a function; `start` and `resume` also throw it when
 * no store was passed and there is no IndexedDB
 *
 * @example
 * ```ts
 * import type { CardPlatformClient } from 'card-platform-sdk';
 * import { createDelegation, type EvmNode } from 'card-platform-sdk/evm';
 *
 * function createLimit(client: CardPlatformClient, node: EvmNode, spender: string) {
 *   return createDelegation({
 *     client,
 *     node,
 *     currency: 'usdc',
 *     spender: 'chain-config',
 *     confirmSpender: (named) => named === spender,
 *   });
 * }
 * ```
 */
export function createDelegation<const Given extends Partial<EvmDelegationInput>>(
  options: { client: EvmDelegationClient } & DelegationStoreOptions &
    Given &
    Partial<EvmCheckedNames<Given>>,
): EvmDelegation<Given> {
  return createStoredDelegation(options, EVM_DELEGATIONS) as EvmDelegation<Given>;
}
