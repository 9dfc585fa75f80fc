import type { OwnEndpoint } from '../../endpoints/index.js';
import type { ObservedSchema } from '../schema/schema.js';
import { getRewardWallet, type WithdrawRewardInput } from './reward-reads.js';

type Reconcile = NonNullable<OwnEndpoint<ObservedSchema<WithdrawRewardInput>>['reconcile']>;

/** Looks for a withdrawal in the history of the reward wallet, which the contract documents. */
export const lookAtRewardHistory: Reconcile['look'] = async ({ read, show, readDebits }) => {
  const wallet = await read(getRewardWallet, {});
  if (typeof wallet?.id !== 'string') {
    return { isDone: undefined, reason: 'the service shows no reward wallet' };
  }
  show(getRewardWallet, [wallet], ['id', 'balance', 'currency']);
  const effects = await readDebits({ walletId: wallet.id, walletType: 'REWARD' });
  return effects === undefined
    ? { isDone: undefined, reason: 'the history could not be read to its end' }
    : { effects };
};
