import {
  HISTORY_PAGE_SIZE,
  type WalletHistoryInput,
  type WalletTransaction,
  walletHistory,
} from '../contract/wallet-history.js';
import { collect, iteratePages, type PageOptions, requireCount } from '../flows/pagination.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** Transactions of a wallet, newest first. */
export class WalletHistoryResource extends Resource {
  /**
   * Returns one page of up to 10 transactions. A shorter page is the last one.
   *
   * Endpoint: `GET /v1/wallet/history`
   *
   * @throws RequestValidationError when `walletCurrency` is missing for `INTERNAL`, or `page` is not a
   *   whole number from 0; nothing was sent
   * @example
   * ```ts
   * const page = await userClient.wallets.history.list({ walletId: 'wallet_1', walletType: 'CREDIT' });
   * ```
   */
  list(
    input: WalletHistoryInput,
    options?: RequestOptions,
  ): PlatformPromise<readonly WalletTransaction[]> {
    return this.send(walletHistory, input, options);
  }

  /**
   * Iterates over all transactions from `input.page` (default 0) on. Reads a page when it is
   * needed.
   *
   * If the service sends a page again, none of its transactions are returned. Transactions have no
   * id, so if a page of ten equal ones comes again, it is held back until a later page shows that it
   * is not a repeated page. If a new transaction arrives while you read, the one that moves to the next page is
   * returned twice.
   *
   * Endpoint: `GET /v1/wallet/history`
   *
   * @throws RequestValidationError when `page` is not a whole number from 0, and for every input
   *   that {@link list} refuses; nothing was sent
   * @throws PaginationError when the service sends a page again, or the end was not seen within
   *   `maxPages`
   * @throws ConfigurationError when `maxPages` is not a whole number above zero
   * @example
   * ```ts
   * const wallet = { walletId: 'wallet_1', walletType: 'CREDIT' } as const;
   * for await (const transaction of userClient.wallets.history.iterate(wallet)) {
   *   console.log(transaction.date, transaction.sign, transaction.amount);
   * }
   * ```
   */
  iterate(
    input: WalletHistoryInput,
    options: RequestOptions & PageOptions = {},
  ): AsyncGenerator<WalletTransaction, void, undefined> {
    // The caller may use the object again while the pages are read.
    const copy = { ...input };
    // Only what is missing has a default: the first request refuses `null`.
    const { page: firstPage = 0 } = copy;
    const { maxPages, ...rest } = { ...options };
    const fetchPage = (page: number) => this.list({ ...copy, page }, options && rest);
    const paged = { operation: walletHistory.id, pageSize: HISTORY_PAGE_SIZE, fetchPage };
    return iteratePages({ ...paged, firstPage }, { maxPages });
  }

  /**
   * Returns the newest transactions as an array of at most `limit`; with `input.page`, it starts at
   * that page.
   *
   * Endpoint: `GET /v1/wallet/history`
   *
   * @throws RequestValidationError as {@link iterate} does
   * @throws PaginationError when the service sends a page again, or the end was not seen within
   *   `maxPages`
   * @throws ConfigurationError when `limit` or `maxPages` is not a whole number above zero
   * @example
   * ```ts
   * const wallet = { walletId: 'wallet_1', walletType: 'CREDIT' } as const;
   * const newest = await userClient.wallets.history.toArray(wallet, { limit: 50 });
   * ```
   */
  async toArray(
    input: WalletHistoryInput,
    options: RequestOptions & PageOptions & { limit: number },
  ): Promise<readonly WalletTransaction[]> {
    const { limit, ...rest } = { ...options };
    return collect(this.iterate(input, rest), requireCount('limit', limit));
  }
}
