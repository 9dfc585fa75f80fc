import { defineEndpoint } from '../define-endpoint.js';
import { flag, maybe, notBlank, positiveAmount, text } from '../fields.js';
import { lookAtDebits, unclear } from '../lookup.js';
import { getRewardWallet, type WithdrawRewardInput } from './reward-reads.js';
import { inputOf, responseOf } from './schema.js';

/** A withdrawal of rewards. */
export type RewardWithdrawal = {
  txHash: string;
  network?: string | null | undefined;
  confirmed?: boolean | null | undefined;
};

/** POST /v1/wallet/reward/withdraw (certainty high). Moves money. */
export const withdrawReward = defineEndpoint({
  id: 'wallets.reward.withdraw',
  certainty: 'high',
  method: 'POST',
  path: '/v1/wallet/reward/withdraw',
  pageAccess: 'allowed',
  retry: 'never',
  input: inputOf<WithdrawRewardInput>({ amount: positiveAmount }),
  output: responseOf<RewardWithdrawal>({
    txHash: notBlank,
    network: maybe(text),
    confirmed: maybe(flag),
  }),
  errors: [400, 422],
  reconcile: {
    details: ['amount'],
    // The contract documents the history of the reward wallet.
    async look({ read, show, readDebits }) {
      const wallet = await read(getRewardWallet, {});
      if (typeof wallet?.id !== 'string') return unclear('the service shows no reward wallet');
      show(getRewardWallet, [wallet], ['id', 'balance', 'currency']);
      return lookAtDebits({ readDebits }, { walletId: wallet.id, walletType: 'REWARD' });
    },
  },
});
