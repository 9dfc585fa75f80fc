import type * as z from 'zod/mini';
import type { NoInput, Open, SuccessAnswer } from './common.js';
import type { Endpoint } from './endpoint.js';
import {
  answer,
  day,
  filledText,
  flag,
  hexColour,
  input,
  list,
  maybe,
  number,
  oneOf,
  optional,
  returnUrl,
  rule,
  secureUrl,
  successAnswer,
  text,
  textUpTo,
  wholeNumber,
} from './fields.js';
import { MINT_ONLY_AFTER_503, NEVER, READ, SAME_EFFECT } from './repeat.js';

/** Status of a card. A fresh card may say `PENDING`; live answers were seen with `INACTIVE`. */
export type CardStatus = Open<'ACTIVE' | 'FROZEN' | 'BLOCKED' | 'PENDING' | 'INACTIVE'>;

/** The card of a user. The full number, CVV and PIN are never part of it. */
export type Card = {
  id: string;
  /** Name on the card, upper case. */
  holderName?: string | null | undefined;
  /** `YYYY/MM`. */
  expiryDate?: string | null | undefined;
  /** Last 4 digits of the card number. */
  panLast4?: string | null | undefined;
  status: CardStatus;
  type?: Open<'VIRTUAL' | 'PHYSICAL' | 'METAL'> | null | undefined;
  /** ISO 8601. */
  orderedAt?: string | null | undefined;
  /** Seen in live answers. */
  isFreezable?: boolean | null | undefined;
  /** Seen in live answers. */
  cardAddedToDigitalWallet?: boolean | null | undefined;
};

/** Which card to order. */
export type OrderCardInput = {
  /** The only type that can be ordered. */
  type: 'VIRTUAL';
};

/** How the image of the card details looks. Hex colours such as `#1A2B3C`. */
export type CardDetailsTokenInput = {
  customCss?:
    | {
        /** Default `#000000`. */
        cardBackgroundColor?: string | undefined;
        /** Default `#FFFFFF`. */
        cardTextColor?: string | undefined;
        /** Default `#EFEFEF`. */
        panBackgroundColor?: string | undefined;
        /** Default `#000000`. */
        panTextColor?: string | undefined;
      }
    | undefined;
};

/** How the image of the PIN looks. Hex colours such as `#1A2B3C`. */
export type PinTokenInput = {
  customCss?: { backgroundColor?: string | undefined; textColor?: string | undefined } | undefined;
};

/** How the hosted page that sets the PIN looks, and where it leads. */
export type SetPinTokenInput = {
  /** Where the browser goes when the user completes or cancels; only when not embedded. */
  redirectUrl?: string | undefined;
  /** Whether the page stands in a frame of yours and tells you by `postMessage`. Default `false`. */
  isEmbedded?: boolean | undefined;
  /** Hex colours such as `#1A2B3C`; radii in pixels. */
  customCss?:
    | {
        backgroundColor?: string | undefined;
        textColor?: string | undefined;
        backgroundColorPrimary?: string | undefined;
        textColorPrimary?: string | undefined;
        pinBorderColor?: string | undefined;
        buttonBorderRadius?: number | undefined;
        pinBorderRadius?: number | undefined;
      }
    | undefined;
};

/** A single-use image. The URL shows card secrets: never log or store it. Prints redacted. */
export type ImageToken = { token: string; imageUrl: string };

/** A hosted page. The URL acts for the user: never log or store it. Prints redacted. */
export type HostedPageToken = { token: string; hostedPageUrl: string };

/** Which card transactions to list. */
export type CardTransactionsInput = {
  /** First day, `YYYY-MM-DD`; only together with `dateTo`. */
  dateFrom?: string | undefined;
  /** Last day, `YYYY-MM-DD`; only together with `dateFrom`. */
  dateTo?: string | undefined;
  searchKey?: string | undefined;
  /** Comma-separated, for example `FOOD,TRAVEL`. */
  mccCategories?: string | undefined;
  /** Zero-indexed. A page past the end was seen to answer page 0 again. */
  page?: number | undefined;
};

/** A card transaction as it was seen (preview): any field may be absent. */
export type CardTransaction = {
  id?: string | null | undefined;
  cardId?: string | null | undefined;
  panLast4?: string | null | undefined;
  transactionId?: string | null | undefined;
  dateTime?: string | null | undefined;
  /** Upper case here, lower case in the wallet history. */
  sign?: Open<'DEBIT' | 'CREDIT'> | null | undefined;
  merchantNameLocation?: string | null | undefined;
  merchantType?: string | null | undefined;
  merchantId?: string | null | undefined;
  mcc?: number | null | undefined;
  mccCategory?: string | null | undefined;
  transactionCurrency?: string | null | undefined;
  amountInTransactionCurrency?: string | null | undefined;
  feesInTransactionCurrency?: string | null | undefined;
  originalCurrency?: string | null | undefined;
  amountInOriginalCurrency?: string | null | undefined;
  feesInOriginalCurrency?: string | null | undefined;
  billingConversionRate?: string | null | undefined;
  ecbRate?: string | null | undefined;
  status?: Open<'CONFIRMED' | 'PENDING' | 'DECLINED' | 'REVERTED'> | null | undefined;
  declineReason?: string | null | undefined;
  fundingSources?: readonly Record<string, unknown>[] | null | undefined;
};

const BASE = {
  credentials: ['clientKey', 'accessToken'],
  routing: 'header',
} as const;

const CARD_ERRORS = [401, 403, 404, 498, 499, 500] as const;

const imageToken = {
  schema: answer({ token: text, imageUrl: secureUrl }),
  essential: answer({ imageUrl: secureUrl }),
};

const style = <Shape extends z.core.$ZodShape>(shape: Shape) => optional(input(shape));
const colour = optional(hexColour);

/** POST /v1/card/order */
export const orderCard: Endpoint<OrderCardInput, SuccessAnswer> = {
  ...BASE,
  id: 'card.order',
  method: 'POST',
  path: '/v1/card/order',
  stability: 'contract',
  repeat: NEVER,
  input: input({ type: oneOf(['VIRTUAL']) }),
  sendsBody: true,
  answers: { 200: successAnswer },
  errors: [400, 401, 403, 422, 498, 499, 500],
  businessErrors: ['user_already_has_card', 'card_type_required'],
  secrets: [],
};

/** GET /v1/card/status */
export const cardStatus: Endpoint<NoInput, Card> = {
  ...BASE,
  id: 'card.status',
  method: 'GET',
  path: '/v1/card/status',
  stability: 'contract',
  repeat: READ,
  input: input({}),
  sendsBody: false,
  answers: {
    200: {
      schema: answer({
        id: text,
        holderName: maybe(text),
        expiryDate: maybe(text),
        panLast4: maybe(text),
        status: text,
        type: maybe(text),
        orderedAt: maybe(text),
        isFreezable: maybe(flag),
        cardAddedToDigitalWallet: maybe(flag),
      }),
      essential: answer({ status: filledText }),
    },
  },
  errors: CARD_ERRORS,
  businessErrors: ['card_not_found'],
  secrets: [],
};

/** POST /v1/card/freeze */
export const freezeCard: Endpoint<NoInput, SuccessAnswer> = {
  ...BASE,
  id: 'card.freeze',
  method: 'POST',
  path: '/v1/card/freeze',
  stability: 'contract',
  // A repeat that comes late could override an unfreeze that a person did meanwhile.
  repeat: { ...SAME_EFFECT, within: 10_000 },
  input: input({}),
  sendsBody: false,
  answers: { 200: successAnswer },
  errors: [400, ...CARD_ERRORS],
  businessErrors: ['card_already_frozen', 'card_not_found'],
  secrets: [],
  replay: [
    {
      status: 400,
      code: 'card_already_frozen',
      means: 'done',
      result: { success: true, replayed: true },
    },
  ],
};

/** POST /v1/card/unfreeze */
export const unfreezeCard: Endpoint<NoInput, SuccessAnswer> = {
  ...BASE,
  id: 'card.unfreeze',
  method: 'POST',
  path: '/v1/card/unfreeze',
  stability: 'contract',
  repeat: NEVER,
  input: input({}),
  sendsBody: false,
  answers: { 200: successAnswer },
  errors: [400, ...CARD_ERRORS],
  businessErrors: ['card_not_frozen', 'card_not_found'],
  secrets: [],
};

/** POST /v1/card/details/token */
export const createDetailsToken: Endpoint<CardDetailsTokenInput, ImageToken> = {
  ...BASE,
  id: 'card.createDetailsToken',
  method: 'POST',
  path: '/v1/card/details/token',
  stability: 'contract',
  repeat: MINT_ONLY_AFTER_503,
  input: input({
    customCss: style({
      cardBackgroundColor: colour,
      cardTextColor: colour,
      panBackgroundColor: colour,
      panTextColor: colour,
    }),
  }),
  sendsBody: true,
  answers: { 200: imageToken },
  errors: [],
  businessErrors: [],
  secrets: ['token', 'imageUrl'],
};

/** POST /v1/card/pin/token */
export const createPinToken: Endpoint<PinTokenInput, ImageToken> = {
  ...BASE,
  id: 'card.createPinToken',
  method: 'POST',
  path: '/v1/card/pin/token',
  stability: 'contract',
  repeat: MINT_ONLY_AFTER_503,
  input: input({ customCss: style({ backgroundColor: colour, textColor: colour }) }),
  sendsBody: true,
  answers: { 200: imageToken },
  errors: [401, 403, 404, 422, 498, 499, 500],
  businessErrors: ['card_not_found'],
  secrets: ['token', 'imageUrl'],
};

/** POST /v1/card/set-pin/token */
export const createSetPinToken: Endpoint<SetPinTokenInput, HostedPageToken> = {
  ...BASE,
  id: 'card.createSetPinToken',
  method: 'POST',
  path: '/v1/card/set-pin/token',
  stability: 'contract',
  repeat: MINT_ONLY_AFTER_503,
  input: input({
    redirectUrl: optional(returnUrl),
    isEmbedded: optional(flag),
    customCss: style({
      backgroundColor: colour,
      textColor: colour,
      backgroundColorPrimary: colour,
      textColorPrimary: colour,
      pinBorderColor: colour,
      buttonBorderRadius: optional(number),
      pinBorderRadius: optional(number),
    }),
  }),
  sendsBody: true,
  answers: {
    200: {
      schema: answer({ token: text, hostedPageUrl: secureUrl }),
      essential: answer({ hostedPageUrl: secureUrl }),
    },
  },
  errors: [],
  businessErrors: [],
  secrets: ['token', 'hostedPageUrl'],
};

/** GET /v1/card/transactions (preview) */
export const cardTransactions: Endpoint<CardTransactionsInput, readonly CardTransaction[]> = {
  ...BASE,
  id: 'card.transactions',
  method: 'GET',
  path: '/v1/card/transactions',
  stability: 'preview',
  repeat: READ,
  input: input({
    dateFrom: optional(day),
    dateTo: optional(day),
    searchKey: optional(textUpTo(200)),
    mccCategories: optional(textUpTo(200)),
    page: optional(wholeNumber),
  }).check(
    rule(
      'dateFrom',
      'must be given together with dateTo',
      ({ dateFrom, dateTo }) => (dateFrom === undefined) === (dateTo === undefined),
    ),
  ),
  query: ['dateFrom', 'dateTo', 'searchKey', 'mccCategories', 'page'],
  sendsBody: false,
  answers: { 200: { schema: list(answer({})) } },
  errors: [],
  businessErrors: [],
  secrets: [],
};
