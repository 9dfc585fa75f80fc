import { flag, maybe, notBlank, positiveAmount, text } from '../../contract/fields.js';
import { defineEndpoint } from '../../endpoints/index.js';
import { input, response } from '../schema/schema.js';
import { lookAtRewardHistory } from './reward-look.js';
import type { WithdrawRewardInput } from './reward-reads.js';

/** A withdrawal of rewards. */
export type RewardWithdrawal = {
  txHash: string;
  network?: string | null | undefined;
  confirmed?: boolean | null | undefined;
};

/** POST /v1/wallet/reward/withdraw (certainty high). Moves money. */
export const withdrawReward = /* @__PURE__ */ defineEndpoint({
  id: 'wallets.reward.withdraw',
  method: 'POST',
  path: '/v1/wallet/reward/withdraw',
  pageAccess: 'allowed',
  retry: 'never',
  input: input<WithdrawRewardInput>({ amount: positiveAmount }),
  output: response<RewardWithdrawal>({
    txHash: notBlank,
    network: maybe(text),
    confirmed: maybe(flag),
  }),
  errors: [400, 422],
  reconcile: { details: ['amount'], look: lookAtRewardHistory },
});
