import {
  type ApiError,
  isApiError,
  isCardPlatformError,
  type OperationRejectedError,
  type OtpRequiredError,
  type Outcome,
  type RequestValidationError,
} from '../errors/index.js';
import { outcomeOf } from '../transport/outcome/outcome-of.js';
import { evidenceOfExecution } from '../transport/response/evidence.js';
import { Refusal } from './refusal.js';
import { type PageResponse, writeResponse } from './responses.js';

// By name, because `instanceof` fails for the errors of a client from the other module format.
type Named = {
  OperationRejectedError: OperationRejectedError;
  OtpRequiredError: OtpRequiredError;
  RequestValidationError: RequestValidationError;
};

function isNamed<Name extends keyof Named>(error: unknown, name: Name): error is Named[Name] {
  return isCardPlatformError(error) && error.name === name;
}

/** In place of messages that are for the server's log. */
const MESSAGES: Readonly<Record<Outcome, string>> = {
  not_sent: 'The proxy could not forward the request.',
  rejected: 'The service refused the request.',
  unknown: 'The proxy got no usable response from the service.',
  executed: 'The proxy could not pass on the response of the service.',
};

/**
 * Statuses to which a browser reacts by itself: it asks for the password of a proxy, or sends the
 * request again.
 */
const HANDLED_BY_BROWSERS = new Set([407, 408, 421, 425, 426]);

function statusFor(status: number, outcome: Outcome): number {
  if (status >= 400 && status <= 599 && !HANDLED_BY_BROWSERS.has(status)) return status;
  return outcome === 'rejected' ? 400 : statusOfFailure(outcome, false);
}

function statusOfFailure(outcome: Outcome, isTimeout: boolean): number {
  if (outcome === 'not_sent') return 503;
  return outcome === 'unknown' && isTimeout ? 504 : 502;
}

/** Evidence of execution, keyed by the last name of its path, as a client recognises it. */
function evidenceIn(evidence: Readonly<Record<string, string>>): { evidence?: object } {
  const named = Object.entries(evidence).map(([path, value]) => [path.split('.').at(-1), value]);
  return named.length === 0 ? {} : { evidence: Object.fromEntries(named) };
}

function ofApiError(error: ApiError): PageResponse {
  const { outcome, requestId, retryAfterMs, serverCode, serverMessage } = error;
  const status = statusFor(error.status, outcome);
  // The message of a failure may describe internals of the service. One that the contract documents
  // is meant for users.
  const isForUsers = error.status < 500 || error.code !== 'server_error';
  const otp = isNamed(error, 'OtpRequiredError') ? error : undefined;
  return {
    status,
    outcome,
    requestId,
    retryAfterMs,
    body: {
      message: (isForUsers ? serverMessage : undefined) ?? MESSAGES[outcome],
      ...(serverCode !== undefined && isForUsers && { code: serverCode }),
      ...(error.fieldErrors.length > 0 && { errors: error.fieldErrors }),
      ...(error.details.length > 0 && isForUsers && { details: error.details }),
      ...(otp !== undefined && {
        isOtpRequired: true,
        userId: otp.userId,
        phoneNumber: otp.phoneNumber,
      }),
      ...evidenceIn(evidenceOfExecution(error.body)),
    },
  };
}

function ofRejection(error: OperationRejectedError): PageResponse {
  const { outcome, serverMessage: message, serverCode: code } = error;
  const body = { message: message ?? MESSAGES[outcome], code, ...evidenceIn(error.evidence) };
  // With evidence of execution, a page must not take it for a refusal.
  return outcome === 'rejected'
    ? { status: 200, body: { success: false, ...body } }
    : { status: 502, outcome, body };
}

/** Returns the response to a page for a failure: never more than its user may know. */
export function pageResponseTo(error: unknown): PageResponse {
  if (error instanceof Refusal) {
    const { status, message, reason, headers } = error;
    return { status, headers, outcome: 'not_sent', body: { message, code: reason } };
  }
  if (isApiError(error)) return ofApiError(error);
  if (isNamed(error, 'OperationRejectedError')) return ofRejection(error);
  const outcome = outcomeOf(error);
  if (isNamed(error, 'RequestValidationError')) {
    const errors = error.issues.map(({ path, message }) => ({ field: path, message }));
    return {
      status: 422,
      outcome,
      body: { message: 'The request is not valid.', code: error.code, errors },
    };
  }
  const code = isCardPlatformError(error) ? error.code : undefined;
  return {
    status: statusOfFailure(outcome, code === 'timeout'),
    outcome,
    body: { message: MESSAGES[outcome], code },
  };
}

/**
 * Returns the response that reports a failed call to a page's client, for routes of your own beside the
 * proxy, such as a login. The client throws the same class of error with the same `outcome`. Nothing
 * in it is a credential; texts that are for your log are left out.
 *
 * @param error - the error of a call
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createErrorResponse } from 'card-platform-sdk/server';
 *
 * const platform = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 *
 * export async function logIn(request: Request): Promise<Response> {
 *   const { email, password, otpCode } = await request.json();
 *   const { ok, data, error } = await platform.auth.login({ email, password, otpCode }).safe();
 *   if (!ok) return createErrorResponse(error);
 *   if (data.phase) return Response.json({ phase: data.phase });
 *   return Response.json({}, { headers: { 'set-cookie': await openSession(data.accessToken) } });
 * }
 *
 * declare function openSession(accessToken: string): Promise<string>;
 * ```
 */
export function createErrorResponse(error: unknown): Response {
  return writeResponse(pageResponseTo(error));
}
