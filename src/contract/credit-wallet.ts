import type { NoInput } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import {
  filledText,
  flag,
  input,
  positiveAmount,
  responseBody,
  text,
  textOrNumber,
} from './fields.js';
import { lookAtDebits, unclear, WALLETS } from './lookup.js';
import { insufficientBalance, notAuthenticated, notAuthorized, refusal } from './refusals.js';
import { observedResponse, response } from './response.js';
import { amountDecimals } from './withdrawal-safeguards.js';

/** The credit wallet (preview): any field may be absent. */
export type CreditWallet = {
  id?: string | null | undefined;
  /** Decimal string. A number, if the service sends one, is unchanged and may have lost digits. */
  balance?: string | number | null | undefined;
  currency?: string | null | undefined;
  /** Whether `withdraw` is allowed. */
  isWithdrawable?: boolean | null | undefined;
  type?: string | null | undefined;
};

/**
 * The cost of a withdrawal (preview): decimal strings of up to 29 digits. A number, if the service
 * sends one, is unchanged and may have lost digits.
 */
export type WithdrawalEstimate = {
  wei?: string | number | null | undefined;
  eth?: string | number | null | undefined;
  /** The fee in USDC. */
  usdc?: string | number | null | undefined;
  /** In some live responses, in place of `usdc`. */
  price?: string | number | null | undefined;
  /** In some live responses. */
  network?: string | null | undefined;
};

/** A withdrawal to the user's registered external wallet. Moves money and cannot be undone. */
export type WithdrawCreditInput = {
  /**
   * Decimal string above zero, in USDC. Network fees are taken from it.
   *
   * @remarks
   * This package requires at most 6 decimals.
   */
  amount: string;
};

/** A withdrawal that was sent to the network. */
export type CreditWithdrawal = {
  /** Hash of the transaction on linea. */
  txHash: string;
};

/** POST /v1/wallet/credit/withdraw */
export const withdrawCredit = defineEndpoint<WithdrawCreditInput, CreditWithdrawal>({
  id: 'wallets.credit.withdraw',
  method: 'POST',
  path: '/v1/wallet/credit/withdraw',
  pageAccess: 'allowed',
  retry: 'never',
  input: input({ amount: positiveAmount }),
  safeguards: [amountDecimals(() => 'usdc')],
  // The contract documents no format for the hash.
  responses: { 200: response(responseBody({ txHash: filledText }), ['txHash']) },
  errors: [401, 403, 500],
  businessErrors: [
    insufficientBalance,
    refusal('no_external_wallet', 400, 'no external wallet registered'),
    refusal('amount_not_positive', 400, 'amount must be a positive number'),
    refusal('withdrawals_not_allowed', 400, 'withdrawals are not allowed for this wallet'),
    notAuthenticated,
    notAuthorized,
  ],
  reconcile: {
    details: ['amount'],
    actsOn: WALLETS,
    async look({ readRow, show, readDebits }) {
      const wallet = (await readRow(getCreditWallet, {})) ?? undefined;
      const walletId = wallet?.['id'];
      if (wallet === undefined || typeof walletId !== 'string') {
        return unclear('the service shows no credit wallet');
      }
      show(getCreditWallet, [wallet], ['id', 'balance', 'currency']);
      return lookAtDebits({ readDebits }, { walletId, walletType: 'CREDIT' });
    },
  },
});

/** GET /v1/wallet/credit (preview) */
export const getCreditWallet = defineEndpoint<NoInput, CreditWallet>({
  id: 'wallets.credit.get',
  method: 'GET',
  path: '/v1/wallet/credit',
  pageAccess: 'allowed',
  stability: 'preview',
  retry: 'safe',
  responses: {
    200: observedResponse(
      responseBody({
        id: text,
        balance: textOrNumber,
        currency: text,
        isWithdrawable: flag,
        type: text,
      }),
    ),
  },
});

/** GET /v1/wallet/credit/withdraw-estimation (preview) */
export const estimateCreditWithdrawal = defineEndpoint<NoInput, WithdrawalEstimate>({
  id: 'wallets.credit.estimateWithdrawal',
  method: 'GET',
  path: '/v1/wallet/credit/withdraw-estimation',
  pageAccess: 'allowed',
  stability: 'preview',
  retry: 'safe',
  responses: {
    200: observedResponse(
      responseBody({
        wei: textOrNumber,
        eth: textOrNumber,
        usdc: textOrNumber,
        price: textOrNumber,
        network: text,
      }),
    ),
  },
});
