export { ApiError, type ApiErrorFacts, type FieldError, isApiError } from './api-error.js';
export {
  CardPlatformError,
  type ErrorFacts,
  isCardPlatformError,
  type NextStep,
  type Outcome,
  REDACT,
  type Redactor,
} from './base.js';
export { ConfigurationError } from './configuration-error.js';
export { ConnectionError, type NetworkFailure, TlsError } from './connection-error.js';
export type {
  ApiErrorCode,
  ChainErrorCode,
  ConnectionErrorCode,
  ErrorCode,
  OAuthErrorCode,
  OperationRejectedCode,
  ProtocolErrorCode,
  SessionErrorCode,
  WebhookVerificationCode,
} from './error-codes.js';
export { OperationRejectedError } from './operation-rejected-error.js';
export { PaginationError } from './pagination-error.js';
export {
  BodyReadError,
  ProtocolError,
  RedirectError,
  ResponseTooLargeError,
  ResponseValidationError,
} from './protocol-error.js';
export { RequestValidationError, type ValidationIssue } from './request-validation-error.js';
export {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InvalidClientKeyError,
  MissingClientKeyError,
  NotFoundError,
  OtpRequiredError,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from './status-errors.js';
export { PollingTimeoutError, TimeoutError, type TimeoutPhase } from './timeout-error.js';
export { WebhookVerificationError } from './webhook-verification-error.js';
