import {
  type CreditWallet,
  type CreditWithdrawal,
  estimateCreditWithdrawal,
  getCreditWallet,
  type WithdrawalEstimate,
  type WithdrawCreditInput,
  withdrawCredit,
} from '../contract/credit-wallet.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** The user's credit wallet. */
export class CreditWalletResource extends Resource {
  /**
   * Sends USDC from the credit wallet to the user's registered external wallet on linea; network
   * fees are taken from the amount. Cannot be undone, and is never sent again once it may have
   * arrived: after an `unknown` outcome look it up with `client.journal.reconcile`, and let a person
   * decide what stays `undecided`.
   *
   * Endpoint: `POST /v1/wallet/credit/withdraw`
   *
   * @throws ApiError with code `insufficient_balance`, `no_external_wallet` or
   *   `withdrawals_not_allowed`
   * @example
   * ```ts
   * const { txHash } = await userClient.wallets.credit.withdraw({ amount: '25.00' });
   * ```
   */
  withdraw(
    input: WithdrawCreditInput,
    options?: RequestOptions,
  ): PlatformPromise<CreditWithdrawal> {
    return this.send(withdrawCredit, input, options);
  }

  /**
   * Returns the credit wallet with its balance.
   *
   * Endpoint: `GET /v1/wallet/credit` (preview)
   *
   * @experimental
   * @throws NotFoundError with code `no_credit_wallet` when the user has no credit wallet
   * @example
   * ```ts
   * const { balance, isWithdrawable } = await userClient.wallets.credit.get();
   * ```
   */
  get(options?: RequestOptions): PlatformPromise<CreditWallet>;
  get<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  get(options?: RequestOptions) {
    return this.send(getCreditWallet, {}, options);
  }

  /**
   * Estimates the cost of a withdrawal.
   *
   * Endpoint: `GET /v1/wallet/credit/withdraw-estimation` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const { usdc } = await userClient.wallets.credit.estimateWithdrawal();
   * ```
   */
  estimateWithdrawal(options?: RequestOptions): PlatformPromise<WithdrawalEstimate>;
  estimateWithdrawal<Output>(
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  estimateWithdrawal(options?: RequestOptions) {
    return this.send(estimateCreditWithdrawal, {}, options);
  }
}
