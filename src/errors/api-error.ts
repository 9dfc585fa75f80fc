import { CardPlatformError, isCardPlatformError, type NextStep, type Outcome } from './base.js';
import type { ApiErrorCode } from './error-codes.js';

/** One field that the service refused. */
export type FieldError = {
  /**
   * Name of the field as the service spells it, at most 100 characters. A JSON pointer is written
   * with dots.
   */
  field: string;
  /** The message of the service about it, at most 300 characters. */
  message: string;
};

/** The facts of an error response of the service. */
export type ApiErrorFacts = {
  status: number;
  code: ApiErrorCode;
  /** The sender of the response, if it was not the service: completes "… responded with". */
  responder?: string | undefined;
  operation?: string | undefined;
  outcome: Outcome;
  probableOutcome?: Outcome | undefined;
  attempts: number;
  isRead?: boolean | undefined;
  isRetryable?: boolean | undefined;
  /** The next step, where it does not follow from the other facts. */
  next?: NextStep | undefined;
  /** The message of the service, cleaned. */
  serverMessage: string | undefined;
  /** The service's own code, cleaned. */
  serverCode?: string | undefined;
  fieldErrors: readonly FieldError[];
  details: readonly string[];
  /** The parsed body with known secrets replaced; `undefined` when it was empty or not JSON. */
  body: unknown;
  headers: Readonly<Record<string, string>>;
  requestId: string | undefined;
  retryAfterMs?: number | undefined;
  /** Whether the body was an HTML page. */
  isPage?: boolean | undefined;
  /** Whether the body was a JSON object. */
  isJson?: boolean | undefined;
};

/** The service responded with an error status. One subclass for each status of the contract. */
export class ApiError extends CardPlatformError {
  override readonly name: string = 'ApiError';
  declare readonly code: ApiErrorCode;
  /** HTTP status. */
  readonly status: number;
  /** The message of the service, at most 500 characters, without control characters or secrets. */
  readonly serverMessage: string | undefined;
  /**
   * The service's own code for the failure, for logs and its support; at most 100 visible
   * characters, `undefined` when it sent none. Branch on `code`, because the service may change
   * this text.
   */
  readonly serverCode: string | undefined;
  /** The fields that the service refused; empty when it listed none. */
  readonly fieldErrors: readonly FieldError[];
  /** Further sentences of the service, such as the `details` of a consent error; often empty. */
  readonly details: readonly string[];
  /** The body of the response with known secrets replaced; `undefined` when empty or not JSON. */
  readonly body: unknown;
  /** The headers of the response, lower-case names, without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service's id of this request, for its support; `undefined` when there is none. */
  readonly requestId: string | undefined;
  /** How long the service asks to wait, in milliseconds; `undefined` when it does not ask. */
  readonly retryAfterMs: number | undefined;
  /**
   * Whether the body was an HTML page. The service sends none: a server in front of it responded, and
   * that says nothing about the session, the user or the input.
   */
  readonly isPage: boolean;
  /**
   * Whether the body was a JSON object, as those of the service are. A server in front of it sends a
   * page, a text or nothing. In an error that your own server passed on to a page, it is what that
   * server received, while `body` is what the page received.
   */
  readonly isJson: boolean;

  constructor(facts: ApiErrorFacts) {
    const said = facts.serverMessage === undefined ? '' : `: "${facts.serverMessage}"`;
    const { status, responder = 'the service' } = facts;
    const isOfService = responder === 'the service';
    super({ ...facts, isOfService, message: `${responder} responded with ${status}${said}.` });
    this.status = facts.status;
    this.serverMessage = facts.serverMessage;
    this.serverCode = facts.serverCode;
    this.fieldErrors = facts.fieldErrors;
    this.details = facts.details;
    this.body = facts.body;
    this.headers = facts.headers;
    this.requestId = facts.requestId;
    this.retryAfterMs = facts.retryAfterMs;
    this.isPage = facts.isPage ?? false;
    this.isJson = facts.isJson ?? false;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      ...(this.serverCode !== undefined && { serverCode: this.serverCode }),
      fieldErrors: this.fieldErrors,
      requestId: this.requestId,
      ...(this.retryAfterMs !== undefined && { retryAfterMs: this.retryAfterMs }),
      ...(this.isPage && { isPage: true }),
    };
  }
}

/**
 * Whether a value is an error response of the service and, if you pass a code, has that code.
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
