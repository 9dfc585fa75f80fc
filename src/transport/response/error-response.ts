import type { BusinessErrorCode } from '../../contract/business-errors.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { isHtml } from '../../contract/formats/html.js';
import { isObject } from '../../contract/formats/is-object.js';
import { refusalCodeOf } from '../../contract/recognised-errors.js';
import { statedRefusal } from '../../contract/refusals.js';
import type { RetryClass } from '../../contract/retry-policy.js';
import {
  ApiError,
  type ApiErrorCode,
  type ApiErrorFacts,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InvalidClientKeyError,
  MissingClientKeyError,
  type NextStep,
  NotFoundError,
  OtpRequiredError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
  UnprocessableError,
} from '../../errors/index.js';
import { type ErrorBody, readErrorBody } from './error-body.js';
import type { ErrorReport } from './error-report.js';
import {
  type HttpResponse,
  type ResponseHeaders,
  requestIdOf,
  retryAfterMs,
} from './http-response.js';
import { isSecretInError, type SecretValues } from './redact.js';

type ErrorClass = new (facts: ApiErrorFacts) => ApiError;

const BY_STATUS: Readonly<Record<number, readonly [ErrorClass, ApiErrorCode]>> = {
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

/** The field of a login that contains a one-time password. */
const OTP_FIELD = 'otpCode';

/** Returns whether the call sent an input field. */
export type HasInput = (name: string) => boolean;

/** A login that asks for a code although the call sent one has refused that code. */
function otpCodeOf(hasInput: HasInput): ApiErrorCode {
  return hasInput(OTP_FIELD) ? 'invalid_otp' : 'otp_required';
}

/** Facts about the whole call, known only when it ends. */
export type CallSummary = {
  operation: string;
  outcome: Outcome;
  probableOutcome?: Outcome | undefined;
  attempts: number;
  isRead: boolean;
  isLogin: boolean;
  isRecorded: boolean;
  isRetryable: boolean;
  /** The step that a proxy reports. */
  next?: NextStep | undefined;
};

/** The facts about a call that do not depend on its responses. */
export function factsOfCall(
  endpoint: Endpoint,
  retryClass: RetryClass,
  hasEntry: boolean,
): Pick<CallSummary, 'operation' | 'isRead' | 'isLogin' | 'isRecorded'> {
  return {
    operation: endpoint.id,
    isRead: retryClass === 'safe',
    isLogin: endpoint.issuedToken !== undefined,
    isRecorded: hasEntry && endpoint.isRecorded !== false,
  };
}

/** An error response that has been read. */
type ErrorResponse = Pick<ErrorBody, 'isDocumentedForm' | 'parsed' | 'secrets'> & {
  /** The refusal in the words of the contract: the only one that affects outcome and retries. */
  businessCode: BusinessErrorCode | undefined;
  retryAfterMs: number | undefined;
  /**
   * Builds the error once it is known how the call ends.
   *
   * @param seen - where a proxy stands in between: who responded, or what it reports of the service
   */
  toError(facts: CallSummary, seen?: { responder: string } | { report: ErrorReport }): ApiError;
};

/** The headers of a response that callers may see. */
export function shownHeaders(
  headers: ResponseHeaders,
  secrets: SecretValues,
): Record<string, string> {
  const shown: Record<string, string> = {};
  headers.toHeaders().forEach((value, name) => {
    if (name !== 'set-cookie') shown[name] = secrets.redact(value);
  });
  return shown;
}

/** The id of a request as callers may see it. */
export function shownRequestId(
  headers: ResponseHeaders,
  secrets: SecretValues,
): string | undefined {
  const id = requestIdOf(headers);
  return id === undefined ? undefined : secrets.redact(id);
}

function classOf(status: number): readonly [ErrorClass, ApiErrorCode] {
  return (
    BY_STATUS[status] ?? (status >= 500 ? [ServerError, 'server_error'] : [ApiError, 'api_error'])
  );
}

function build(
  status: number,
  body: ErrorBody,
  facts: Omit<ApiErrorFacts, 'code'>,
  hasInput: HasInput,
  code?: ApiErrorCode,
) {
  if (status === 400 && body.isOtpRequired) {
    return new OtpRequiredError({ ...facts, code: otpCodeOf(hasInput) }, otpUser(body));
  }
  const [errorClass, statusCode] = classOf(status);
  return new errorClass({ ...facts, code: code ?? statusCode });
}

function otpUser({ userId, phoneNumber }: Partial<Pick<ErrorBody, 'userId' | 'phoneNumber'>>) {
  return {
    ...(userId !== undefined && { userId }),
    ...(phoneNumber !== undefined && { phoneNumber }),
  };
}

/** The error response of the service that a proxy reports. */
function ofReport(
  report: ErrorReport & { status: number },
  shared: CallSummary & Pick<ApiErrorFacts, 'body' | 'headers'>,
): ApiError {
  const { status, name, code } = report;
  const facts = {
    ...shared,
    status,
    serverMessage: report.serverMessage,
    serverCode: report.serverCode,
    fieldErrors: report.fieldErrors ?? [],
    details: report.details ?? [],
    requestId: report.requestId,
    retryAfterMs: report.retryAfterMs,
    // The kind of the code shows that it is one of an error response.
    code: code as ApiErrorCode,
    isPage: report.isPage,
    isJson: report.isJson,
  };
  if (name === 'OtpRequiredError') return new OtpRequiredError(facts, otpUser(report));
  return new (classOf(status)[0])(facts);
}

/** Reads a response with an error status. */
export function readErrorResponse(
  response: HttpResponse,
  endpoint: Endpoint,
  known: SecretValues,
  now: number,
  hasInput: HasInput,
): ErrorResponse {
  const { status, headers } = response;
  const body = readErrorBody(response, known, isSecretInError(endpoint));
  const { secrets } = body;
  const businessCode = statedRefusal(body.texts, endpoint.businessErrors)?.code;
  const wait = retryAfterMs(headers, now);
  return {
    isDocumentedForm: body.isDocumentedForm,
    parsed: body.parsed,
    businessCode,
    retryAfterMs: wait,
    secrets,
    toError: (call, seen = { responder: 'the service' }) => {
      const shared = { ...call, body: body.json, headers: shownHeaders(headers, secrets) };
      if ('report' in seen) return ofReport({ status, ...seen.report }, shared);
      const facts = {
        responder: seen.responder,
        ...shared,
        status,
        serverMessage: body.message,
        serverCode: body.serverCode,
        fieldErrors: body.fieldErrors,
        details: body.details,
        requestId: shownRequestId(headers, secrets),
        retryAfterMs: wait,
        isPage: isHtml(response.text),
        isJson: isObject(body.json),
      };
      const code = refusalCodeOf({ ...body, endpoint, status, hasInput });
      return build(status, body, facts, hasInput, code);
    },
  };
}

/** The error for a success response that asks for a one-time password. */
export function otpRequiredError(
  user: { userId?: string; phoneNumber?: string },
  { status, headers }: HttpResponse,
  secrets: SecretValues,
  hasInput: HasInput,
  facts: CallSummary,
): OtpRequiredError {
  return new OtpRequiredError(
    {
      ...facts,
      status,
      code: otpCodeOf(hasInput),
      serverMessage: undefined,
      fieldErrors: [],
      details: [],
      body: undefined,
      isJson: true,
      headers: shownHeaders(headers, secrets),
      requestId: shownRequestId(headers, secrets),
    },
    user,
  );
}
