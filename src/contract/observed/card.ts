import { defineEndpoint } from '../define-endpoint.js';
import { bothDays, calendarDay, decimalAmount, maybe, optional, text } from '../fields.js';
import { inputOf, noInput, responseOf } from './schema.js';

/** The cashback that the user has earned so far. */
export type Cashback = {
  /** Decimal string. */
  amount: string;
  currency?: string | null | undefined;
  network?: string | null | undefined;
  /** Decimal string: a percentage, not a fraction. */
  ratePercent: string;
};

/** The days of a statement: both, or neither for the complete history. */
export type CardStatementInput = {
  /** `YYYY-MM-DD`. */
  dateFrom?: string | undefined;
  /** `YYYY-MM-DD`. */
  dateTo?: string | undefined;
};

const MOST_BYTES = 33_554_432;

/** GET /v1/card/cashback (certainty medium) */
export const getCashback = defineEndpoint({
  id: 'card.cashback',
  certainty: 'medium',
  method: 'GET',
  path: '/v1/card/cashback',
  pageAccess: 'allowed',
  retry: 'safe',
  input: noInput,
  output: responseOf<Cashback>({
    amount: decimalAmount,
    currency: maybe(text),
    network: maybe(text),
    ratePercent: decimalAmount,
  }),
});

/**
 * GET /v1/card/transactions/statement (certainty high). CSV; for PDF, `override` it with another
 * `accept` and other `mediaTypes`, or call `observe(client).card.statement`.
 */
export const cardStatement = defineEndpoint({
  id: 'card.statement',
  certainty: 'high',
  method: 'GET',
  path: '/v1/card/transactions/statement',
  pageAccess: 'on-request',
  retry: 'safe',
  maxRequests: 2,
  input: inputOf<CardStatementInput>(
    { dateFrom: optional(calendarDay), dateTo: optional(calendarDay) },
    ...bothDays,
  ),
  query: ['dateFrom', 'dateTo'],
  response: 'bytes',
  accept: 'text/csv',
  // Errors come as JSON or text, some of them perhaps with a success status.
  mediaTypes: ['text/csv', 'application/octet-stream'],
  maxResponseBytes: MOST_BYTES,
  secrets: ['*'],
});
