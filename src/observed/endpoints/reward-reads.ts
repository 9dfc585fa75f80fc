import { flag, maybe, notBlank, text } from '../../contract/fields.js';
import { defineEndpoint } from '../../endpoints/index.js';
import type { Open } from '../../index.js';
import { bodyOf, noInput, objectOf, response } from '../schema/schema.js';

/** The wallet that rewards are credited to. */
export type RewardWallet = {
  id: string;
  /** Decimal string, display units. */
  balance?: string | null | undefined;
  /** Lower case. */
  currency: string;
  isWithdrawable?: boolean | null | undefined;
  /** In upper or lower case: ignore case when you compare it. */
  type?: Open<'REWARD'> | null | undefined;
};

/**
 * The cost of a withdrawal, as the service sent it: no two sources agree on the fields. Compute no net
 * amount from a missing one.
 */
export type RewardWithdrawalEstimate = {
  wei?: string | null | undefined;
  eth?: string | null | undefined;
  usdc?: string | null | undefined;
  price?: string | null | undefined;
  network?: string | null | undefined;
  /** One client: the smallest unit of the native coin. */
  gas?: string | null | undefined;
  /** One client: the display unit of the native coin. */
  fee?: string | null | undefined;
};

/** The amount to withdraw. */
export type WithdrawRewardInput = {
  /** Decimal string above zero, display units. The fee is taken from it. */
  amount: string;
};

/** GET /v1/wallet/reward (certainty high). `null` until the first reward. */
export const getRewardWallet = /* @__PURE__ */ defineEndpoint({
  id: 'wallets.reward.get',
  method: 'GET',
  path: '/v1/wallet/reward',
  pageAccess: 'allowed',
  retry: 'safe',
  input: noInput,
  output: bodyOf(
    objectOf<RewardWallet>({
      id: notBlank,
      balance: maybe(text),
      currency: notBlank,
      isWithdrawable: maybe(flag),
      type: maybe(text),
    }),
    (value) => value as RewardWallet | null,
  ),
  resultWhen: { 404: null },
  errors: [404],
});

/** GET /v1/wallet/reward/withdraw-estimation (path high, fields low) */
export const estimateRewardWithdrawal = /* @__PURE__ */ defineEndpoint({
  id: 'wallets.reward.estimateWithdrawal',
  method: 'GET',
  path: '/v1/wallet/reward/withdraw-estimation',
  pageAccess: 'allowed',
  retry: 'safe',
  input: noInput,
  output: response<RewardWithdrawalEstimate>({
    wei: maybe(text),
    eth: maybe(text),
    usdc: maybe(text),
    price: maybe(text),
    network: maybe(text),
    gas: maybe(text),
    fee: maybe(text),
  }),
  mayBeEmpty: true,
});
