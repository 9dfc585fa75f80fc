import {
  type Card,
  type CardTransaction,
  type CardTransactionsInput,
  cardStatus,
  cardTransactions,
  freezeCard,
  type OrderCardInput,
  orderCard,
  unfreezeCard,
} from '../contract/card.js';
import {
  type CardDetailsTokenInput,
  createDetailsToken,
  createPinToken,
  createSetPinToken,
  type HostedPageToken,
  type ImageToken,
  type PinTokenInput,
  type SetPinTokenInput,
} from '../contract/card-tokens.js';
import type { SuccessResult } from '../contract/common.js';
import { isApiError } from '../errors/index.js';
import { iteratePagesById } from '../flows/pages-of-items-with-ids.js';
import type { PageOptions } from '../flows/pagination.js';
import { poll, type WaitOptions } from '../flows/polling.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** Provisioning typically takes a few seconds, and in practice up to about two minutes. */
const UNTIL_ACTIVE = { timeout: 180_000, interval: 1_000, maxInterval: 5_000 };

/** The card of a user, who has at most one. */
export class CardResource extends Resource {
  /**
   * Orders a card for a verified user who has none. It is provisioned afterwards: see
   * {@link waitUntilActive}. Never sent again once it may have arrived: after an `unknown` outcome look
   * it up with `client.journal.reconcile`.
   *
   * Endpoint: `POST /v1/card/order`
   *
   * @throws ApiError with code `user_already_has_card` or `user_not_verified`
   * @example
   * ```ts
   * await userClient.card.order();
   * const card = await userClient.card.waitUntilActive();
   * ```
   */
  order(
    input: OrderCardInput = { type: 'VIRTUAL' },
    options?: RequestOptions,
  ): PlatformPromise<SuccessResult> {
    return this.send(orderCard, input, options);
  }

  /**
   * Returns the user's card: status, last digits, expiry. Never the full number, CVV or PIN.
   *
   * Endpoint: `GET /v1/card/status`
   *
   * @throws NotFoundError with code `card_not_found` when the user has no card
   * @example
   * ```ts
   * const { status, panLast4 } = await userClient.card.status();
   * ```
   */
  status(options?: RequestOptions): PlatformPromise<Card> {
    return this.send(cardStatus, {}, options);
  }

  /**
   * Freezes the card: all authorizations are declined. If the response is lost and a retry finds
   * the card already frozen, the call succeeds with `resolvedByRetry: true`.
   *
   * Endpoint: `POST /v1/card/freeze`
   *
   * @throws BadRequestError with code `card_already_frozen`
   * @throws NotFoundError with code `card_not_found`
   * @example
   * ```ts
   * await userClient.card.freeze();
   * ```
   */
  freeze(options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(freezeCard, {}, options);
  }

  /**
   * Unfreezes the card. Never sent again once it may have arrived: a late retry could unfreeze a
   * card that has been frozen again for fraud. After an `unknown` outcome look it up with
   * `client.journal.reconcile`.
   *
   * Endpoint: `POST /v1/card/unfreeze`
   *
   * @throws BadRequestError with code `card_not_frozen`
   * @throws NotFoundError with code `card_not_found`
   * @example
   * ```ts
   * await userClient.card.unfreeze();
   * ```
   */
  unfreeze(options?: RequestOptions): PlatformPromise<SuccessResult> {
    return this.send(unfreezeCard, {}, options);
  }

  /**
   * Creates a short-lived URL of an image with number, CVV and expiry, so that you never handle them.
   * Show it in the user's browser; never log or store it. The contract does not say how long it works.
   *
   * Endpoint: `POST /v1/card/details/token`
   *
   * @throws NotFoundError with code `card_not_found`
   * @example
   * ```ts
   * const { imageUrl } = await userClient.card.createDetailsToken({
   *   customCss: { cardBackgroundColor: '#101820' },
   * });
   * ```
   */
  createDetailsToken(
    input: CardDetailsTokenInput = {},
    options?: RequestOptions,
  ): PlatformPromise<ImageToken> {
    return this.send(createDetailsToken, input, options);
  }

  /**
   * Creates a single-use URL of an image with the PIN. It expires after about 10 minutes, or once it
   * is viewed. Never log or store it.
   *
   * Endpoint: `POST /v1/card/pin/token`
   *
   * @throws NotFoundError with code `card_not_found`
   * @throws UnprocessableError for a colour that the service refuses
   * @example
   * ```ts
   * const { imageUrl } = await userClient.card.createPinToken({ customCss: { textColor: '#FFFFFF' } });
   * ```
   */
  createPinToken(input: PinTokenInput = {}, options?: RequestOptions): PlatformPromise<ImageToken> {
    return this.send(createPinToken, input, options);
  }

  /**
   * Creates the URL of a hosted page on which the user sets the PIN. Embedded in a frame
   * (`isEmbedded`), the page reports by `postMessage`; otherwise it redirects to `redirectUrl`.
   *
   * Endpoint: `POST /v1/card/set-pin/token`
   *
   * @throws NotFoundError with code `card_not_found`
   * @example
   * ```ts
   * const { hostedPageUrl } = await userClient.card.createSetPinToken({
   *   redirectUrl: 'https://app.example.com/pin-set',
   * });
   * ```
   */
  createSetPinToken(
    input: SetPinTokenInput = {},
    options?: RequestOptions,
  ): PlatformPromise<HostedPageToken> {
    return this.send(createSetPinToken, input, options);
  }

  /**
   * Returns one page of card transactions. In practice a page past the end returns page 0 again.
   *
   * Endpoint: `GET /v1/card/transactions` (preview)
   *
   * @experimental
   * @throws NotFoundError with code `card_not_found`
   * @example
   * ```ts
   * const transactions = await userClient.card.transactions({ page: 0 });
   * ```
   */
  transactions(
    input?: CardTransactionsInput,
    options?: RequestOptions,
  ): PlatformPromise<readonly CardTransaction[]>;
  transactions<Output>(
    input: CardTransactionsInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  transactions(input: CardTransactionsInput = {}, options?: RequestOptions) {
    return this.send(cardTransactions, input, options);
  }

  /**
   * Iterates over all card transactions from `input.page` (default 0) on, each id once. Reads a page
   * when it is needed, and ends when the service returns page 0 again, as it does past the end.
   *
   * Endpoint: `GET /v1/card/transactions` (preview)
   *
   * @experimental
   * @throws RequestValidationError when `page` is not a whole number from 0, before anything is sent
   * @throws the other errors of {@link transactions}
   * @throws PaginationError when the service repeats a page other than the first or sends one that
   *   is not an array, or the end was not seen within `maxPages`: the page after the last shows it
   * @throws ConfigurationError when `maxPages` is not a whole number above zero
   * @example
   * ```ts
   * for await (const transaction of userClient.card.iterateTransactions({ mccCategories: 'FOOD' })) {
   *   console.log(transaction.dateTime, transaction.merchantNameLocation);
   * }
   * ```
   */
  iterateTransactions(
    input: CardTransactionsInput = {},
    options: RequestOptions & PageOptions = {},
  ): AsyncGenerator<CardTransaction, void, undefined> {
    // The caller may use the object again while the pages are read.
    const copy = { ...input };
    // Only what is missing has a default: the first request refuses `null`.
    const { page: firstPage = 0 } = copy;
    const { maxPages, ...rest } = { ...options };
    const fetchPage = (page: number) => this.transactions({ ...copy, page }, options && rest);
    return iteratePagesById({ operation: cardTransactions.id, firstPage, fetchPage }, { maxPages });
  }

  /**
   * Waits until the card is `ACTIVE`, by default for 3 minutes: in practice provisioning takes up to
   * about two. The wait continues on a 404, because a new card may not be found at first, and on every
   * other status, because an unknown one may be a new step. A 404 with an HTML page ends it: the request
   * did not reach the service. To stop earlier, abort `signal` from `onProgress`.
   *
   * Endpoint: `GET /v1/card/status`
   *
   * @throws ConfigurationError when `timeout`, `interval` or `maxInterval` is not above zero and below
   *   2^31
   * @throws PollingTimeoutError with the last card seen
   * @throws the errors of {@link status} other than a 404 that is not an HTML page
   * @example
   * ```ts
   * const card = await userClient.card.waitUntilActive({ timeout: 30_000 });
   * ```
   */
  waitUntilActive(options: WaitOptions<Card> = {}): Promise<Card> {
    const read = (signal: AbortSignal) => this.status({ signal }).catch(undefinedWithoutCard);
    const isDone = (card: Card) => card.status === 'ACTIVE';
    const task = { operation: cardStatus.id, read, isDone, defaults: UNTIL_ACTIVE };
    return poll(task, options, this.clock);
  }
}

function undefinedWithoutCard(error: unknown): undefined {
  if (isApiError(error) && error.status === 404 && !error.isPage) return undefined;
  throw error;
}
