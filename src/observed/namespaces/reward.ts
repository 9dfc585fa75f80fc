import { type RewardWithdrawal, withdrawReward } from '../../contract/observed/reward.js';
import {
  estimateRewardWithdrawal,
  getRewardWallet,
  type RewardWallet,
  type RewardWithdrawalEstimate,
  type WithdrawRewardInput,
} from '../../contract/observed/reward-reads.js';
import type { PlatformPromise, RequestOptions } from '../../index.js';
import { ObservedCalls } from '../calls.js';

/**
 * The wallet that rewards are credited to.
 *
 * @experimental
 */
export class RewardCalls extends ObservedCalls {
  /**
   * Returns the reward wallet; `null` until the first reward is credited.
   *
   * Endpoint: `GET /v1/wallet/reward` (observed). Certainty high (three clients and the vendor
   * page). Retries: safe. Every 404 is returned as `null`, whatever its cause. The balance is a
   * decimal string.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const wallet = await observe(userClient).wallets.reward.get();
   * console.log(wallet === null ? 'no reward yet' : wallet.balance);
   * ```
   */
  get(options?: RequestOptions): PlatformPromise<RewardWallet | null> {
    return this.send(getRewardWallet, {}, options);
  }

  /**
   * Returns the cost of a withdrawal, as the service sent it.
   *
   * Endpoint: `GET /v1/wallet/reward/withdraw-estimation` (observed). Certainty of the fields: low,
   * because no two sources agree on them; of the path: high (two clients and the vendor page).
   * Retries: safe. Do not compute a net amount if a field is missing.
   *
   * @experimental
   * @throws ApiError when the service refuses it
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { eth, fee } = await observe(userClient).wallets.reward.estimateWithdrawal();
   * ```
   */
  estimateWithdrawal(options?: RequestOptions): PlatformPromise<RewardWithdrawalEstimate> {
    return this.send(estimateRewardWithdrawal, {}, options);
  }

  /**
   * Withdraws rewards on chain to the registered external wallet. **Moves money.** The user receives
   * the amount without the fee.
   *
   * Endpoint: `POST /v1/wallet/reward/withdraw` (observed). Certainty high (two clients and the
   * vendor page). Retries: never, there is no idempotency key. After an `unknown` outcome,
   * reconcile its entry in the journal (list `withdrawReward` in `journal.endpoints`), or look at
   * `wallets.history.list` with the type `REWARD`, before you send it again.
   *
   * @experimental
   * @throws BadRequestError, UnprocessableError when the service refuses the withdrawal
   * @example
   * ```ts
   * import { observe } from 'card-platform-sdk/observed';
   *
   * const { txHash } = await observe(userClient).wallets.reward.withdraw({ amount: '12.5' });
   * ```
   */
  withdraw(
    input: WithdrawRewardInput,
    options?: RequestOptions,
  ): PlatformPromise<RewardWithdrawal> {
    return this.send(withdrawReward, input, options);
  }
}
