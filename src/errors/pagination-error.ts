import { CardPlatformError } from './base.js';

/**
 * Paging stopped: the service sent a page twice or a page that is not an array, or the end of the
 * list was not seen within the pages that the caller allowed.
 */
export class PaginationError extends CardPlatformError {
  override readonly name = 'PaginationError';
  /** The zero-indexed page at which it stopped. */
  readonly page: number;

  constructor(operation: string, page: number, message: string) {
    super({
      operation,
      message,
      code: 'pagination_stuck',
      outcome: 'rejected',
      advice: 'Only reads were sent: nothing was changed.',
    });
    this.page = page;
  }
}
