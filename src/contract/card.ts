import type { NoInput, OpenEnum, SuccessResult } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import {
  bothDays,
  calendarDay,
  filledText,
  flag,
  fourDigits,
  input,
  list,
  observed,
  oneOf,
  optional,
  responseBody,
  text,
  textOrNumber,
  textUpTo,
  timestamp,
  upperCaseText,
  wholeNumber,
  yearAndMonth,
} from './fields.js';
import { type ContractLookTools, unclear } from './lookup.js';
import { cardNotFound, refusal } from './refusals.js';
import { doneResponse, observedResponse, response, successResponse } from './response.js';
import type { Schema } from './schema.js';

/** Status of a card. A new card may be `PENDING`; live responses also contain `INACTIVE`. */
export type CardStatus = OpenEnum<'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'PENDING' | 'INACTIVE'>;

/**
 * The card of a user. The full number, CVV and PIN are never part of it.
 *
 * @remarks
 * Only `status` is essential: a response that differs from the contract may lack the `id`.
 */
export type Card = {
  id: string;
  /** Name on the card, upper case. */
  holderName?: string | null | undefined;
  /** `YYYY/MM`. */
  expiryDate?: string | null | undefined;
  /** Last 4 digits of the card number. */
  panLast4?: string | null | undefined;
  status: CardStatus;
  type?: OpenEnum<'VIRTUAL' | 'PHYSICAL' | 'METAL'> | null | undefined;
  /** ISO 8601. */
  orderedAt?: string | null | undefined;
  /** Present in live responses. */
  isFreezable?: boolean | null | undefined;
  /** Present in live responses. */
  cardAddedToDigitalWallet?: boolean | null | undefined;
};

/** The card to order. */
export type OrderCardInput = {
  /** The only type that can be ordered. */
  type: 'VIRTUAL';
};

/** A filter for the card transactions to list. */
export type CardTransactionsInput = {
  /** Text to look for, for example the name of a merchant. */
  searchKey?: string | undefined;
  /** Comma-separated, for example `FOOD,TRAVEL`. */
  mccCategories?: string | undefined;
  /** Zero-indexed. In practice a page past the end returns page 0 again. */
  page?: number | undefined;
} & (
  | {
      /** First day, `YYYY-MM-DD`. */
      dateFrom: string;
      /** Last day, `YYYY-MM-DD`. */
      dateTo: string;
    }
  | { dateFrom?: undefined; dateTo?: undefined }
);

/** A wallet that paid for a card transaction (preview): any field may be absent. */
export type CardFundingSource = {
  id?: string | null | undefined;
  address?: string | null | undefined;
  network?: string | null | undefined;
  txHash?: string | null | undefined;
  currency?: string | null | undefined;
  amount?: string | number | null | undefined;
  fees?: string | number | null | undefined;
  swapFee?: string | number | null | undefined;
  sign?: OpenEnum<'DEBIT' | 'CREDIT'> | null | undefined;
  status?: string | null | undefined;
  dateTime?: string | null | undefined;
};

/**
 * A card transaction (preview): any field may be absent. Amounts, fees and rates are decimal
 * strings. A number, if the service sends one, is passed on unchanged and may have lost digits.
 */
export type CardTransaction = {
  id?: string | null | undefined;
  cardId?: string | null | undefined;
  panLast4?: string | null | undefined;
  transactionId?: string | null | undefined;
  dateTime?: string | null | undefined;
  /** Upper case here, lower case in the wallet history. */
  sign?: OpenEnum<'DEBIT' | 'CREDIT'> | null | undefined;
  merchantNameLocation?: string | null | undefined;
  merchantType?: string | null | undefined;
  merchantId?: string | null | undefined;
  mcc?: number | string | null | undefined;
  mccCategory?: string | null | undefined;
  transactionCurrency?: string | null | undefined;
  amountInTransactionCurrency?: string | number | null | undefined;
  feesInTransactionCurrency?: string | number | null | undefined;
  originalCurrency?: string | null | undefined;
  amountInOriginalCurrency?: string | number | null | undefined;
  feesInOriginalCurrency?: string | number | null | undefined;
  billingConversionRate?: string | number | null | undefined;
  ecbRate?: string | number | null | undefined;
  status?: OpenEnum<'CONFIRMED' | 'PENDING' | 'DECLINED' | 'REVERTED'> | null | undefined;
  declineReason?: string | null | undefined;
  /** The wallets that paid. */
  fundingSources?: readonly CardFundingSource[] | null | undefined;
};

/** Reads the card, and adds it to the evidence. */
async function readCard({ readRow, show }: Pick<ContractLookTools, 'readRow' | 'show'>) {
  const card = await readRow(cardStatus, {});
  if (card != null) show(cardStatus, [card], ['id', 'status', 'orderedAt']);
  return card;
}

/** POST /v1/card/order */
export const orderCard = defineEndpoint<OrderCardInput, SuccessResult>({
  id: 'card.order',
  method: 'POST',
  path: '/v1/card/order',
  pageAccess: 'allowed',
  retry: 'never',
  input: input({ type: oneOf(['VIRTUAL']) }),
  responses: { 200: successResponse },
  errors: [400, 401, 403, 422, 498, 499, 500],
  businessErrors: [
    refusal('user_already_has_card', 400, 'user already has a card'),
    refusal('card_type_required', 422, 'type field is required'),
  ],
  reconcile: {
    details: ['type'],
    async look(tools) {
      const card = await readCard(tools);
      if (card === undefined) return unclear('the service does not show the card');
      if (card === null) return { effects: [] };
      const time = card['orderedAt'] as string | null | undefined;
      // A card that is blocked may be replaced, and the service shows one card only.
      const mayLack = card['status'] === 'BLOCKED' ? 'any' : 'older';
      return { effects: [{ time, matches: () => true }], mayLack };
    },
  },
});

/** GET /v1/card/status */
export const cardStatus = defineEndpoint<NoInput, Card>({
  id: 'card.status',
  method: 'GET',
  path: '/v1/card/status',
  pageAccess: 'allowed',
  retry: 'safe',
  responses: {
    200: response(
      responseBody({
        id: filledText,
        holderName: upperCaseText,
        expiryDate: yearAndMonth,
        panLast4: fourDigits,
        // The contract describes a new card as PENDING, beside its list of statuses.
        status: oneOf(['ACTIVE', 'FROZEN', 'BLOCKED', 'PENDING']),
        type: oneOf(['VIRTUAL', 'PHYSICAL', 'METAL']),
        orderedAt: timestamp,
        isFreezable: observed(flag),
        cardAddedToDigitalWallet: observed(flag),
      }),
      ['status'],
    ),
  },
  errors: [401, 403, 404, 498, 499, 500],
  businessErrors: [cardNotFound],
});

/** POST /v1/card/freeze */
export const freezeCard = defineEndpoint<NoInput, SuccessResult>({
  id: 'card.freeze',
  method: 'POST',
  path: '/v1/card/freeze',
  pageAccess: 'allowed',
  // A late retry could undo an unfreeze that a person requested in the meantime.
  retry: 'idempotent',
  retryWithin: 10_000,
  responses: { 200: doneResponse },
  errors: [400, 401, 403, 404, 498, 499, 500],
  businessErrors: [refusal('card_already_frozen', 400, 'card is already frozen'), cardNotFound],
  resultWhenRetried: { card_already_frozen: { resolvedByRetry: true } },
});

/** POST /v1/card/unfreeze */
export const unfreezeCard = defineEndpoint<NoInput, SuccessResult>({
  id: 'card.unfreeze',
  method: 'POST',
  path: '/v1/card/unfreeze',
  pageAccess: 'allowed',
  retry: 'never',
  responses: { 200: doneResponse },
  errors: [400, 401, 403, 404, 498, 499, 500],
  businessErrors: [refusal('card_not_frozen', 400, 'card is not frozen'), cardNotFound],
  reconcile: {
    details: [],
    takesFromWallets: false,
    // The card may be frozen again at any time, so a frozen one proves nothing.
    async look({ isTooOld, ...tools }) {
      const card = await readCard(tools);
      if (card == null) return unclear('the service does not show the card');
      if (card['status'] !== 'ACTIVE') {
        return unclear('the card is not active; it may have been frozen again');
      }
      return isTooOld(card['orderedAt'] as string | null | undefined)
        ? { isDone: true, reason: 'the card is active' }
        : unclear('the card is active, but it may be a new one that was never frozen');
    },
  },
});

const direction = oneOf(['DEBIT', 'CREDIT']);

const fundingSource = responseBody({
  id: text,
  address: text,
  network: text,
  txHash: text,
  currency: text,
  amount: textOrNumber,
  fees: textOrNumber,
  swapFee: textOrNumber,
  sign: direction,
  status: text,
  dateTime: text,
});

const transaction = responseBody({
  id: text,
  cardId: text,
  panLast4: fourDigits,
  transactionId: text,
  dateTime: text,
  sign: direction,
  merchantNameLocation: text,
  merchantType: text,
  merchantId: text,
  mcc: textOrNumber,
  mccCategory: text,
  transactionCurrency: text,
  amountInTransactionCurrency: textOrNumber,
  feesInTransactionCurrency: textOrNumber,
  originalCurrency: text,
  amountInOriginalCurrency: textOrNumber,
  feesInOriginalCurrency: textOrNumber,
  billingConversionRate: textOrNumber,
  ecbRate: textOrNumber,
  status: oneOf(['CONFIRMED', 'PENDING', 'DECLINED', 'REVERTED']),
  declineReason: text,
  fundingSources: list(fundingSource),
});

/** GET /v1/card/transactions (preview) */
export const cardTransactions = defineEndpoint<CardTransactionsInput, readonly CardTransaction[]>({
  id: 'card.transactions',
  method: 'GET',
  path: '/v1/card/transactions',
  pageAccess: 'allowed',
  stability: 'preview',
  retry: 'safe',
  // The type states which fields go together, and the rules check it.
  input: input(
    {
      dateFrom: optional(calendarDay),
      dateTo: optional(calendarDay),
      searchKey: optional(textUpTo(200)),
      mccCategories: optional(textUpTo(200)),
      page: optional(wholeNumber),
    },
    ...bothDays,
  ) as Schema<CardTransactionsInput>,
  query: ['dateFrom', 'dateTo', 'searchKey', 'mccCategories', 'page'],
  responses: { 200: observedResponse(list(transaction)) },
});
