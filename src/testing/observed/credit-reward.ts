import { requireKnownOptions } from '../known-options.js';
import { add, requireAmount } from '../money.js';
import { addEntry } from '../payments.js';
import type { MockUser } from '../state.js';
import type { GrantStore } from './grants.js';

/** A reward. Everything but the amount has a default. */
export type MockReward = {
  /** A decimal string above zero. */
  amount: string;
  /** Currency of a new wallet. Default `usdc`. */
  currency?: string | undefined;
  /** Whether the wallet allows withdrawals from now on. Some rewards vest first. Default: unchanged. */
  isWithdrawable?: boolean | undefined;
  /** Name of the entry in the history. Default `Reward`. */
  name?: string | undefined;
};

/** Credits a reward, and opens the reward wallet with the first one. */
export function creditReward(
  { observed, ids, clock }: Pick<GrantStore, 'observed' | 'ids' | 'clock'>,
  user: MockUser,
  reward: MockReward,
): void {
  requireKnownOptions('creditReward', reward, ['amount', 'currency', 'isWithdrawable', 'name']);
  const { amount, currency = 'usdc', isWithdrawable, name = 'Reward' } = reward;
  requireAmount(amount);
  const known = observed.rewardWallets.find(({ userId }) => userId === user.id);
  const wallet = known ?? {
    id: ids.uuid(),
    userId: user.id,
    currency,
    balance: '0',
    earned: '0',
    isWithdrawable: true,
  };
  if (known === undefined) observed.rewardWallets.push(wallet);
  wallet.balance = add(wallet.balance, amount);
  wallet.earned = add(wallet.earned, amount);
  wallet.isWithdrawable = isWithdrawable ?? wallet.isWithdrawable;
  const date = clock.iso();
  addEntry(user, wallet.id, { name, amount, currency: wallet.currency, sign: 'credit', date });
}
