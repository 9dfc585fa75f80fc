import { BUSINESS_ERRORS, type BusinessErrorCode } from '../contract/business-errors.js';
import {
  ApiError,
  type ApiErrorFacts,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InvalidClientKeyError,
  MissingClientKeyError,
  NotFoundError,
  OtpRequiredError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from '../errors/index.js';
import { retryAfterMs } from './backoff.js';
import { type ErrorBody, readErrorBody } from './error-body.js';
import type { SecretValues } from './redact.js';
import { requestIdOf } from './request-id.js';

type ErrorClass = new (facts: ApiErrorFacts) => ApiError;

const BY_STATUS: Readonly<Record<number, readonly [ErrorClass, string]>> = {
  400: [BadRequestError, 'bad_request'],
  401: [AuthenticationError, 'not_authenticated'],
  403: [PermissionError, 'not_authorized'],
  404: [NotFoundError, 'not_found'],
  409: [ConflictError, 'conflict'],
  422: [UnprocessableError, 'validation_failed'],
  429: [RateLimitError, 'rate_limited'],
  498: [InvalidClientKeyError, 'invalid_client_key'],
  499: [MissingClientKeyError, 'missing_client_key'],
};

const OTP_REQUIRED = 'otp_required';

/** An error answer, understood. */
export type Refusal = {
  status: number;
  /** The documented refusal that it states, if any. */
  businessCode: BusinessErrorCode | undefined;
  /** Whether the service refused (`rejected`), or may have acted (`unknown`). */
  outcome: Outcome;
  retryAfterMs: number | undefined;
  /** Builds the error, once it is known how the call ends. */
  toError(
    facts: Pick<ApiErrorFacts, 'operation' | 'outcome' | 'probableOutcome' | 'attempts'>,
  ): ApiError;
};

function businessCodeOf(searchable: string): BusinessErrorCode | undefined {
  const found = Object.entries(BUSINESS_ERRORS).find(([, text]) => searchable.includes(text));
  return found?.[0] as BusinessErrorCode | undefined;
}

// A service that answers 5xx may have acted before it failed, unless it says why it refused.
function outcomeOf(status: number, businessCode: BusinessErrorCode | undefined): Outcome {
  const isRefusal = status !== 408 && status < 500;
  return isRefusal || businessCode !== undefined ? 'rejected' : 'unknown';
}

function shownHeaders(headers: Headers, secrets: SecretValues): Record<string, string> {
  const shown: Record<string, string> = {};
  headers.forEach((value, name) => {
    if (name !== 'set-cookie') shown[name] = secrets.redact(value);
  });
  return shown;
}

function classOf(status: number): readonly [ErrorClass, string] {
  return (
    BY_STATUS[status] ?? (status >= 500 ? [ServerError, 'server_error'] : [ApiError, 'api_error'])
  );
}

function build(status: number, body: ErrorBody, facts: Omit<ApiErrorFacts, 'code'>, code?: string) {
  if (status === 400 && body.isOtpRequired) {
    return new OtpRequiredError({ ...facts, code: OTP_REQUIRED }, otpUser(body));
  }
  const [errorClass, statusCode] = classOf(status);
  return new errorClass({ ...facts, code: code ?? statusCode });
}

function otpUser({ userId, phoneNumber }: ErrorBody): { userId?: string; phoneNumber?: string } {
  return {
    ...(userId !== undefined && { userId }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  };
}

/** Reads an error answer. */
export function readRefusal(
  answer: { status: number; headers: Headers; text: string },
  secrets: SecretValues,
  now: number,
): Refusal {
  const { status, headers } = answer;
  const body = readErrorBody(answer.text, secrets);
  const businessCode = businessCodeOf(body.searchable);
  const wait = retryAfterMs(headers, now);
  return {
    status,
    businessCode,
    outcome: outcomeOf(status, businessCode),
    retryAfterMs: wait,
    toError: (facts) =>
      build(
        status,
        body,
        {
          ...facts,
          status,
          serverMessage: body.message,
          fieldErrors: body.fieldErrors,
          details: body.details,
          body: body.json,
          headers: shownHeaders(headers, secrets),
          requestId: requestIdOf(headers),
          retryAfterMs: wait,
        },
        businessCode,
      ),
  };
}

/** The error for a success answer that asks for a one-time password. */
export function otpRequiredError(
  user: { userId?: string; phoneNumber?: string },
  status: number,
  headers: Headers,
  secrets: SecretValues,
  facts: Pick<ApiErrorFacts, 'operation' | 'attempts'>,
): OtpRequiredError {
  return new OtpRequiredError(
    {
      ...facts,
      status,
      code: OTP_REQUIRED,
      outcome: 'rejected',
      serverMessage: undefined,
      fieldErrors: [],
      details: [],
      body: undefined,
      headers: shownHeaders(headers, secrets),
      requestId: requestIdOf(headers),
    },
    user,
  );
}
