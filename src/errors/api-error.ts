import { CardPlatformError, isCardPlatformError, type Outcome } from './base.js';
import type { ApiErrorCode } from './error-codes.js';

/** One field that the service refused. */
export type FieldError = {
  /** Name of the field as the service spells it. */
  field: string;
  /** What the service says about it, at most 300 characters. */
  message: string;
};

/** What an error answer of the service is made of. */
export type ApiErrorFacts = {
  status: number;
  code: ApiErrorCode;
  operation?: string | undefined;
  outcome: Outcome;
  probableOutcome?: Outcome | undefined;
  attempts: number;
  isRead?: boolean | undefined;
  isRetryable?: boolean | undefined;
  /** What the service said, cleaned. */
  serverMessage: string | undefined;
  fieldErrors: readonly FieldError[];
  details: readonly string[];
  /** The parsed body with known secrets replaced; `undefined` when it was empty or not JSON. */
  body: unknown;
  headers: Readonly<Record<string, string>>;
  requestId: string | undefined;
  retryAfterMs?: number | undefined;
};

/** The service answered with an error status. One subclass for each status of the contract. */
export class ApiError extends CardPlatformError {
  override readonly name: string = 'ApiError';
  declare readonly code: ApiErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** What the service said, at most 500 characters, cleaned of control characters and secrets. */
  readonly serverMessage: string | undefined;
  /** The fields that the service refused; empty when it named none. */
  readonly fieldErrors: readonly FieldError[];
  /** The `details` of a consent error; empty elsewhere. */
  readonly details: readonly string[];
  /** The body of the answer with known secrets replaced; `undefined` when empty or not JSON. */
  readonly body: unknown;
  /** The headers of the answer, lower-case names, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** The id that the service gave this request, for its support; `undefined` when it gave none. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait, in milliseconds; `undefined` when it does not say. */
  readonly retryAfterMs: number | undefined;

  constructor(facts: ApiErrorFacts) {
    const said = facts.serverMessage === undefined ? '' : `: "${facts.serverMessage}"`;
    super({ ...facts, message: `the service responded with ${facts.status}${said}.` });
    this.status = facts.status;
    this.serverMessage = facts.serverMessage;
    this.fieldErrors = facts.fieldErrors;
    this.details = facts.details;
    this.body = facts.body;
    this.headers = facts.headers;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      fieldErrors: this.fieldErrors,
      requestId: this.requestId,
      ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
    };
  }
}

/**
 * Whether a value is an error answer of the service and, if a code is given, that one.
 *
 * @example
 * ```ts
 * import { isApiError } from 'card-platform-sdk';
 *
 * function hasNoCard(error: unknown): boolean {
 *   return isApiError(error, 'card_not_found');
 * }
 * ```
 */
export function isApiError<Code extends ApiErrorCode = ApiErrorCode>(
  error: unknown,
  code?: Code,
): error is ApiError & { readonly code: Code } {
  return isCardPlatformError(error) && 'status' in error && 'fieldErrors' in error
    ? code === undefined || error.code === code
    : false;
}
