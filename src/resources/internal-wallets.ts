import type { SuccessResult } from '../contract/common.js';
import {
  type CreateInternalWalletsInput,
  createInternalWallets,
  type InternalWallet,
  type LinkedWallet,
  type LinkWalletInput,
  linkWalletToCard,
  listInternalWallets,
  listLinkedWallets,
  unlinkWalletFromCard,
  type WithdrawalIn,
  withdrawFromInternalWallet,
} from '../contract/internal-wallets.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** Custodial wallets. The service refuses them to tenants whose platform is not custodial. */
export class InternalWalletsResource extends Resource {
  /**
   * Returns the user's custodial wallets. Balances are decimal strings.
   *
   * Endpoint: `GET /v1/wallet/internal`
   *
   * @throws ApiError with code `custodial_platform_required`
   * @example
   * ```ts
   * const wallets = await userClient.wallets.internal.list();
   * const usdc = wallets.find(({ currency }) => currency === 'usdc');
   * ```
   */
  list(options?: RequestOptions): PlatformPromise<readonly InternalWallet[]> {
    return this.send(listInternalWallets, {}, options);
  }

  /**
   * Creates custodial wallets. Never sent again once it may have arrived: after an `unknown` outcome
   * look it up with `client.journal.reconcile`, or check {@link list}.
   *
   * Endpoint: `POST /v1/wallet/internal`
   *
   * @throws ApiError with code `invalid_network_or_currency` or `custodial_platform_required`
   * @example
   * ```ts
   * await userClient.wallets.internal.create({ wallets: [{ network: 'linea', currency: 'usdc' }] });
   * ```
   */
  create(
    input: CreateInternalWalletsInput,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(createInternalWallets, input, options);
  }

  /**
   * Lets a wallet pay for the card; at most 5 can. Never sent again once it may have arrived: after an
   * `unknown` outcome look it up with `client.journal.reconcile`.
   *
   * Endpoint: `POST /v1/wallet/internal/card_linked`
   *
   * @throws ApiError with code `max_linked_wallets`
   * @example
   * ```ts
   * for (const { addressId } of await userClient.wallets.internal.list()) {
   *   await userClient.wallets.internal.linkToCard({ addressId });
   * }
   * ```
   */
  linkToCard(input: LinkWalletInput, options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(linkWalletToCard, input, options);
  }

  /**
   * Returns the wallets that pay for the card.
   *
   * Endpoint: `GET /v1/wallet/internal/card_linked` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const linked = await userClient.wallets.internal.listLinked();
   * ```
   */
  listLinked(options?: RequestOptions): PlatformPromise<readonly LinkedWallet[]>;
  listLinked<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  listLinked(options?: RequestOptions) {
    return this.send(listLinkedWallets, {}, options);
  }

  /**
   * Stops a wallet from paying for the card. Never sent again once it may have arrived: after an
   * `unknown` outcome look it up with `client.journal.reconcile`.
   *
   * Endpoint: `DELETE /v1/wallet/internal/card_linked` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * await userClient.wallets.internal.unlinkFromCard({ addressId: 'address_1' });
   * ```
   */
  unlinkFromCard(input: LinkWalletInput, options?: RequestOptions): PlatformPromise<SuccessResult>;
  unlinkFromCard<Output>(
    input: LinkWalletInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  unlinkFromCard(input: LinkWalletInput, options?: RequestOptions) {
    return this.send(unlinkWalletFromCard, input, options);
  }

  /**
   * Sends money from a custodial wallet to an address. Cannot be undone, and is never sent
   * again once it may have arrived: after an `unknown` outcome look it up with
   * `client.journal.reconcile`, and let a person decide what stays `undecided`.
   *
   * Endpoint: `POST /v1/wallet/internal/withdraw`
   *
   * @throws RequestValidationError for a recipient that is not an address of the currency, or is the
   *   zero address or the source, for a missing memo, and for more decimals than the currency has;
   *   nothing was sent
   * @throws ApiError with code `insufficient_balance`, `invalid_recipient_address` or
   *   `user_not_verified`
   * @example
   * ```ts
   * await userClient.wallets.internal.withdraw({
   *   amount: '12.5',
   *   currency: 'usdc',
   *   sourceAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
   *   recipientAddress: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
   * });
   * ```
   */
  withdraw<const Currency extends string>(
    input: WithdrawalIn<Currency>,
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(withdrawFromInternalWallet, input, options);
  }
}
