import { getCreditWallet } from '../contract/credit-wallet.js';
import { equalsIgnoringCase } from '../contract/formats/ignore-case.js';
import { listInternalWallets } from '../contract/internal-wallets.js';
import type { WalletHistoryInput } from '../contract/wallet-history.js';
import { decideByCount, type Effect, type Finding, undecided } from './count-effects.js';
import { readTime } from './entry-times.js';
import type { Look, LookContext } from './look.js';
import { HISTORY_IS_UNREADABLE, readDebits } from './read-debits.js';
import type { Row } from './reads.js';
import { isSameAddress } from './same-address.js';
import { compareAmounts } from './same-amount.js';

function toEffect({ amount, date }: Row): Effect {
  return {
    time: readTime(date),
    isOf: (details) => compareAmounts(amount, details['amount']) === true,
    mayBeOf: (details) => compareAmounts(amount, details['amount']) !== false,
  };
}

async function lookAtHistory(context: LookContext, wallet: WalletHistoryInput): Promise<Finding> {
  const debits = await readDebits(context, wallet);
  return debits === undefined
    ? undecided(HISTORY_IS_UNREADABLE)
    : decideByCount(context, debits.map(toEffect));
}

/** Looks for a withdrawal in the history of the credit wallet. */
export const lookAtCreditWithdrawal: Look = async (context) => {
  const { reads } = context;
  const wallet = (await reads.read(getCreditWallet, {})) as Row | undefined;
  const walletId = wallet?.['id'];
  if (wallet === undefined || typeof walletId !== 'string') {
    return undecided('the service shows no credit wallet');
  }
  reads.show('wallets.credit.get', [wallet], ['id', 'balance', 'currency']);
  return lookAtHistory(context, { walletId, walletType: 'CREDIT' });
};

/** Looks for a withdrawal in the history of the custodial wallet that it was taken from. */
export const lookAtInternalWithdrawal: Look = async (context) => {
  const { reads, entry } = context;
  const { sourceAddress = '', sourceMemo, currency = '' } = entry.details;
  const wallets = await reads.list(listInternalWallets, {});
  const own = wallets?.filter(
    ({ address, currency: held, addressMemo }) =>
      isSameAddress(address, sourceAddress) &&
      equalsIgnoringCase(held, currency) &&
      (sourceMemo === undefined || addressMemo === sourceMemo),
  );
  const [wallet] = own ?? [];
  if (own?.length !== 1 || typeof wallet?.['id'] !== 'string') {
    return undecided('the service does not show which wallet the request is about');
  }
  reads.show('wallets.internal.list', [wallet], ['id', 'balance', 'currency', 'address']);
  return lookAtHistory(context, {
    walletId: wallet['id'],
    walletType: 'INTERNAL',
    walletCurrency: currency,
  });
};
