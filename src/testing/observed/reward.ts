import { isPositiveDecimal } from '../../contract/formats/decimal.js';
import { errorResponse, ok, textOf } from '../behaviour.js';
import {
  hasEvmWallet,
  payOut,
  WITHDRAWAL_ESTIMATION,
  WITHDRAWAL_FEE,
} from '../behaviours/wallets.js';
import { requireKnownOptions } from '../check-options.js';
import { add, coversAmounts, requireAmount, subtract } from '../money.js';
import { addEntry } from '../payments.js';
import type { MockUser } from '../state.js';
import type { GrantStore } from './grants.js';
import type { ObservedBehaviours, ObservedCall } from './observed-call.js';
import type { MockRewardWallet } from './state.js';

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

/** No source shows the rate: it is the mock's own. */
const CASHBACK_PERCENT = '1';
const NETWORK = 'linea';

const walletOf = ({ observed, user }: ObservedCall): MockRewardWallet | undefined =>
  observed.rewardWallets.find(({ userId }) => userId === user.id);

const noWallet = () => errorResponse(404, 'Wallet not found');

/** Moves money out of the reward wallet into the user's own wallet, minus the fee. */
function moveMoney({ user, clock }: ObservedCall, wallet: MockRewardWallet, amount: string): void {
  const { currency } = wallet;
  wallet.balance = subtract(wallet.balance, amount);
  const entry = { name: 'Withdrawal', amount, currency, sign: 'debit', date: clock.iso() } as const;
  addEntry(user, wallet.id, entry);
  payOut(user, amount, currency);
}

/** The reward wallet and the cashback. */
export const rewardBehaviours: ObservedBehaviours = {
  'wallets.reward.get': (call) => {
    const wallet = walletOf(call);
    if (wallet === undefined) return noWallet();
    const { id, balance, currency, isWithdrawable } = wallet;
    return ok({ id, balance, currency, isWithdrawable, type: 'REWARD' });
  },

  'wallets.reward.estimateWithdrawal': (call) =>
    walletOf(call) === undefined ? noWallet() : ok(WITHDRAWAL_ESTIMATION),

  'wallets.reward.withdraw': (call) => {
    const wallet = walletOf(call);
    const amount = textOf(call, 'amount');
    if (!isPositiveDecimal(amount)) return errorResponse(400, 'amount must be a positive number');
    if (wallet === undefined) return noWallet();
    if (!wallet.isWithdrawable) {
      return errorResponse(400, 'Withdrawals are not allowed for this wallet');
    }
    if (!hasEvmWallet(call.user)) return errorResponse(400, 'No external wallet registered');
    if (!coversAmounts(wallet.balance, amount)) return errorResponse(400, 'Insufficient balance');
    // The user receives the amount minus the fee.
    if (!coversAmounts(amount, WITHDRAWAL_FEE)) {
      return errorResponse(400, 'Insufficient balance for withdrawal');
    }
    moveMoney(call, wallet, amount);
    return ok({ txHash: call.ids.evmHash(), network: NETWORK, confirmed: true });
  },

  'card.cashback': (call) => {
    const wallet = walletOf(call);
    const { earned = '0', currency = null } = wallet ?? {};
    const network = wallet === undefined ? null : NETWORK;
    return ok({ amount: earned, currency, network, ratePercent: CASHBACK_PERCENT });
  },
};
