import type { OpenEnum } from '../common.js';
import { defineEndpoint } from '../define-endpoint.js';
import { decimalAmount, flag, lowerCaseCode, maybe, notBlank, oneOf, text } from '../fields.js';
import { bodyOf, noInput, objectOf, responseOf } from './schema.js';

/** The wallet that rewards are credited to. */
export type RewardWallet = {
  id: string;
  /** Decimal string, display units. */
  balance?: string | null | undefined;
  /** Lower case. */
  currency: string;
  isWithdrawable?: boolean | null | undefined;
  /** In upper or lower case: ignore case when you compare it. */
  type?: OpenEnum<'REWARD' | 'reward'> | null | undefined;
};

/**
 * The cost of a withdrawal, as the service sent it: no two sources agree on the fields. Do not
 * compute a net amount if one is missing.
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
export const getRewardWallet = defineEndpoint({
  id: 'wallets.reward.get',
  certainty: 'high',
  method: 'GET',
  path: '/v1/wallet/reward',
  pageAccess: 'allowed',
  retry: 'safe',
  input: noInput,
  output: bodyOf(
    objectOf<RewardWallet>({
      id: notBlank,
      balance: maybe(decimalAmount),
      currency: lowerCaseCode,
      isWithdrawable: maybe(flag),
      type: maybe(oneOf(['REWARD', 'reward'])),
    }),
    (value) => value as RewardWallet | null,
  ),
  resultWhen: { 404: null },
  errors: [404],
});

/** GET /v1/wallet/reward/withdraw-estimation (path high, fields low) */
export const estimateRewardWithdrawal = defineEndpoint({
  id: 'wallets.reward.estimateWithdrawal',
  certainty: 'low',
  method: 'GET',
  path: '/v1/wallet/reward/withdraw-estimation',
  pageAccess: 'allowed',
  retry: 'safe',
  input: noInput,
  output: responseOf<RewardWithdrawalEstimate>({
    wei: maybe(decimalAmount),
    eth: maybe(decimalAmount),
    usdc: maybe(decimalAmount),
    price: maybe(decimalAmount),
    network: maybe(text),
    gas: maybe(decimalAmount),
    fee: maybe(decimalAmount),
  }),
  mayBeEmpty: true,
});
