import {
  type ExternalWalletPriority,
  getExternalWalletPriority,
  type SetExternalWalletPriorityInput,
  type SetLinkedWalletPriorityInput,
  setExternalWalletPriority,
  setLinkedWalletPriority,
} from '../../contract/observed/wallet-priority.js';
import { listInternalWallets, listLinkedWallets, type Sender } from '../../endpoints/index.js';
import type { PlatformPromise, RequestOptions, SuccessResult } from '../../index.js';
import { ObservedCalls, type ObservedOverrides } from '../calls.js';
import {
  isSameWallet,
  prioritiesOf,
  putInOrder,
  requireOrder,
  unusableList,
  type WalletInOrder,
} from '../wallet-order.js';
import { RewardCalls } from './reward.js';

/**
 * The order in which the user's own wallets pay. One wallet pays a whole purchase.
 *
 * @experimental
 */
export class ObservedExternalWalletsCalls extends ObservedCalls {
  /**
   * Returns the wallets with their priorities: the lowest pays first. The numeric `id` exists only
   * here.
   *
   * Endpoint: `GET /v1/wallet/external/priority` (observed). Certainty high (one client and the
   * vendor page). Retries: safe.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const wallets = await observe(userClient).wallets.external.getPriority();
   * ```
   */
  getPriority(options?: RequestOptions): PlatformPromise<readonly ExternalWalletPriority[]> {
    return this.send(getExternalWalletPriority, {}, options);
  }

  /**
   * Sets the priorities of **all** wallets, each once. Duplicates are refused before anything is
   * sent. {@link setOrder} does the reading for you.
   *
   * Endpoint: `PUT /v1/wallet/external/priority` (observed). Certainty high (one client and the
   * vendor page). Retries: idempotent, within 5 seconds, because a late one may undo a newer order.
   *
   * @experimental
   * @throws RequestValidationError for a duplicate: nothing was sent
   * @throws AuthenticationError, UnprocessableError
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(userClient).wallets.external.setPriority({
   *   wallets: [
   *     { id: 7, priority: 1 },
   *     { id: 4, priority: 2 },
   *   ],
   * });
   * ```
   */
  setPriority(
    input: SetExternalWalletPriorityInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(setExternalWalletPriority, input, options);
  }

  /**
   * Lets these wallets pay first, in this order; all others follow in their present order, those of
   * which the service shows no priority at the end. Reads the list, then sends every wallet once, with
   * the priorities that are in use already. If these are not different whole numbers, it numbers the
   * wallets from 1.
   *
   * A change that another device makes in between is overwritten. The options apply to each of the
   * two requests.
   *
   * Endpoints: `GET` and `PUT /v1/wallet/external/priority` (observed).
   *
   * @experimental
   * @param wallets - by address, currency and network, in upper or lower case
   * @throws RequestValidationError for an empty list, and for a wallet that is not the user's, is
   *   listed twice, or fits several of the user's wallets: no order was set
   * @throws ProtocolError when the list cannot be used: no order was set
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * await observe(userClient).wallets.external.setOrder([
   *   { address: '0x52908400098527886E0F7030069857D2E4169EE7', currency: 'usdc', network: 'linea' },
   * ]);
   * ```
   */
  async setOrder(
    wallets: readonly WalletInOrder[],
    options?: RequestOptions,
  ): Promise<SuccessResult> {
    const operation = setExternalWalletPriority.id;
    const requested = requireOrder(operation, wallets);
    const { data: listed, status } = await this.getPriority(options).withResponse();
    const numbers = prioritiesOf(listed);
    const ordered = putInOrder(operation, requested, listed).map(({ id }, index) => {
      if (typeof id === 'number') return { id, priority: numbers[index] ?? index };
      throw unusableList(
        getExternalWalletPriority.id,
        status,
        'contains a wallet without a numeric id',
      );
    });
    return this.setPriority({ wallets: ordered }, options);
  }
}

/**
 * The order in which the wallets that are linked to the card pay.
 *
 * @experimental
 */
export class ObservedInternalWalletsCalls extends ObservedCalls {
  /**
   * Sets the priorities of **all** linked wallets, each once. Duplicates are refused before anything
   * is sent. {@link setLinkedOrder} does the reading for you.
   *
   * Endpoint: `PUT /v1/wallet/internal/card_linked/priority` (observed). Certainty high (one client
   * and the vendor page). Retries: idempotent, within 5 seconds.
   *
   * @experimental
   * @throws RequestValidationError for a duplicate: nothing was sent
   * @throws OperationRejectedError on `success: false`
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const [wallet] = await userClient.wallets.internal.list();
   * if (wallet) {
   *   await observe(userClient).wallets.internal.setLinkedPriority({
   *     wallets: [{ addressId: wallet.addressId, priority: 1 }],
   *   });
   * }
   * ```
   */
  setLinkedPriority(
    input: SetLinkedWalletPriorityInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(setLinkedWalletPriority, input, options);
  }

  /**
   * Lets these linked wallets pay first, in this order; all others follow in their present order,
   * those of which the service shows no priority at the end. Reads the linked wallets and the list
   * with their `addressId`, then sends every linked wallet once.
   *
   * Endpoints: `GET /v1/wallet/internal/card_linked`, `GET /v1/wallet/internal` and
   * `PUT /v1/wallet/internal/card_linked/priority` (observed).
   *
   * @experimental
   * @param wallets - by address, currency and network, in upper or lower case
   * @throws RequestValidationError for an empty list, and for a wallet that is not linked, is listed
   *   twice, or fits several linked wallets: no order was set
   * @throws ProtocolError when the lists cannot be used: no order was set
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const [wallet] = await userClient.wallets.internal.listLinked();
   * if (wallet?.address && wallet.currency) {
   *   const { address, currency } = wallet;
   *   await observe(userClient).wallets.internal.setLinkedOrder([{ address, currency }]);
   * }
   * ```
   */
  async setLinkedOrder(
    wallets: readonly WalletInOrder[],
    options?: RequestOptions,
  ): Promise<SuccessResult> {
    const operation = setLinkedWalletPriority.id;
    const requested = requireOrder(operation, wallets);
    const [{ data: linked, status }, owned] = await Promise.all([
      this.sendAs(listLinkedWallets, {}, options).withResponse(),
      this.sendAs(listInternalWallets, {}, options),
    ]);
    if (!Array.isArray(linked) || linked.some((one) => Object(one) !== one)) {
      throw unusableList(listLinkedWallets.id, status, 'is not a list of wallets');
    }
    const numbers = prioritiesOf(linked);
    const ordered = putInOrder(operation, requested, linked).map((wallet, index) => {
      const ids = new Set(
        owned.filter((one) => isSameWallet(wallet, one)).map((one) => one.addressId),
      );
      const [addressId] = ids;
      if (addressId !== undefined && ids.size === 1) {
        return { addressId, priority: numbers[index] ?? index };
      }
      const what = 'contains a linked wallet whose addressId is not clear from the list of wallets';
      throw unusableList(listLinkedWallets.id, status, what);
    });
    return this.setLinkedPriority({ wallets: ordered }, options);
  }
}

/**
 * The order in which wallets pay, and the reward wallet.
 *
 * @experimental
 */
export class ObservedWalletsCalls {
  /** The user's own wallets. */
  readonly external: ObservedExternalWalletsCalls;
  /** Custodial wallets. */
  readonly internal: ObservedInternalWalletsCalls;
  /** Rewards. */
  readonly reward: RewardCalls;

  /** @internal */
  constructor(client: Sender, overrides: ObservedOverrides) {
    this.external = new ObservedExternalWalletsCalls(client, overrides);
    this.internal = new ObservedInternalWalletsCalls(client, overrides);
    this.reward = new RewardCalls(client, overrides);
  }
}
