import { requireKnownOptions } from './check-options.js';
import { paymentMade } from './events.js';
import { coversAmounts, requireAmount, subtract } from './money.js';
import type { Simulation } from './simulation.js';
import type { MockCard, MockCardTransaction, MockTransaction, MockUser } from './state.js';

/** A payment with a card. Everything but the amount has a default. */
export type CardPayment = {
  /** A decimal string above zero, in USD. */
  amount: string;
  /** Default `Coffee House Springfield`. */
  merchant?: string | undefined;
  /** Category of the merchant. Default `FOOD`. */
  mccCategory?: string | undefined;
  /** Code of the merchant's category. Default 5814. */
  mcc?: number | undefined;
};

const STABLECOINS = ['usdc', 'usdt'];

/** A wallet that can pay, and the function that charges it. */
type Funding = {
  wallet: { id?: string; address?: string; network?: string; currency: string };
  pay: (entry: MockTransaction) => void;
};

/** Adds an entry to the start of a wallet's history. */
export function addEntry(user: MockUser, walletId: string, entry: MockTransaction): void {
  user.transactions[walletId] = [entry, ...(user.transactions[walletId] ?? [])];
}

/** Finds one wallet for the whole amount: a linked one, the user's own, or the credit wallet. */
function fundingFor(user: MockUser, amount: string): Funding | undefined {
  const linked = user.linkedWallets
    .flatMap((addressId) => user.internalWallets.filter((one) => one.addressId === addressId))
    .find((one) => STABLECOINS.includes(one.currency) && coversAmounts(one.balance, amount));
  const payFrom = (wallet: { id: string; balance: string }) => (entry: MockTransaction) => {
    wallet.balance = subtract(wallet.balance, amount);
    addEntry(user, wallet.id, entry);
  };
  if (linked !== undefined) return { wallet: linked, pay: payFrom(linked) };
  const own = user.externalWallets.find(
    ({ balance, allowance }) => coversAmounts(balance, amount) && coversAmounts(allowance, amount),
  );
  if (own !== undefined) {
    const pay = () => {
      own.balance = subtract(own.balance, amount);
      own.allowance = subtract(own.allowance, amount);
    };
    return { wallet: own, pay };
  }
  const { creditWallet, hasCreditWallet } = user;
  if (!hasCreditWallet || !coversAmounts(creditWallet.balance, amount)) return undefined;
  return { wallet: { id: creditWallet.id, currency: 'usdc' }, pay: payFrom(creditWallet) };
}

function declineReason({ status }: MockCard): string {
  return status === 'ACTIVE' ? 'Insufficient balance' : `Card is ${status.toLowerCase()}`;
}

/** Pays with a card, or declines the payment. Returns the transaction, and delivers it as an event. */
export function payWithCard(
  { clock, ids, deliveries }: Simulation,
  user: MockUser,
  card: MockCard,
  payment: CardPayment,
): MockCardTransaction {
  requireKnownOptions('cards.pay', payment, ['amount', 'merchant', 'mccCategory', 'mcc']);
  const { amount, merchant = 'Coffee House Springfield' } = payment;
  requireAmount(amount);
  const funding = card.status === 'ACTIVE' ? fundingFor(user, amount) : undefined;
  const date = clock.iso();
  const money = { amount, fees: '0', swapFee: '0', sign: 'DEBIT', dateTime: date };
  const { id, address, network, currency } = funding?.wallet ?? {};
  const transaction: MockCardTransaction = {
    id: ids.uuid(),
    cardId: card.id,
    panLast4: card.panLast4,
    transactionId: ids.uuid(),
    dateTime: date,
    sign: 'DEBIT',
    merchantNameLocation: merchant,
    merchantType: 'Restaurants',
    merchantId: null,
    mcc: payment.mcc ?? 5814,
    mccCategory: payment.mccCategory ?? 'FOOD',
    transactionCurrency: 'USD',
    amountInTransactionCurrency: amount,
    feesInTransactionCurrency: '0',
    originalCurrency: 'USD',
    amountInOriginalCurrency: amount,
    feesInOriginalCurrency: '0',
    billingConversionRate: '1',
    ecbRate: null,
    status: funding === undefined ? 'DECLINED' : 'CONFIRMED',
    declineReason: funding === undefined ? declineReason(card) : null,
    fundingSources:
      funding === undefined
        ? []
        : [
            {
              id,
              address,
              network,
              txHash: ids.evmHash(),
              currency,
              status: 'CONFIRMED',
              ...money,
            },
          ],
  };
  funding?.pay({ name: merchant, amount, currency: currency ?? 'usdc', sign: 'debit', date });
  user.cardTransactions.unshift(transaction);
  deliveries.emit(paymentMade(user, transaction));
  return transaction;
}
