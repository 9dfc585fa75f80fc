import {
  type ApiError,
  type CardPlatformError,
  isApiError,
  isCardPlatformError,
  type OperationRejectedError,
  type Outcome,
  type RequestValidationError,
} from '../errors/index.js';
import { knownStepOf, outcomeOf } from '../transport/outcome/outcome-of-error.js';
import {
  endedByServer,
  REFUSED_BY_PROXY,
  REPORT,
  reportOf,
} from '../transport/response/error-report.js';
import { evidenceOfExecution } from '../transport/response/evidence.js';
import { serviceTime } from '../transport/response/http-response.js';
import { SecretValues } from '../transport/response/redact.js';
import { Refusal } from './refusal.js';
import { type PageResponse, writeResponse } from './responses.js';

// By name, because `instanceof` fails for the errors of a client from the other module format.
type Named = {
  OperationRejectedError: OperationRejectedError;
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

/** For an error of your own code. The page's client adds that your server sent it. */
const FAILED_HERE = 'The request failed here. The log has the reason.';

/**
 * Statuses to which a browser reacts by itself: it asks for the password of a proxy, or sends the
 * request again.
 */
export const HANDLED_BY_BROWSERS = new Set([407, 408, 421, 425, 426]);

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

const NO_SECRETS = new SecretValues([]);

/** The session has ended, so the page must log in. */
const NEEDS_LOGIN: readonly unknown[] = ['session_ended', 'session_mismatch'];

/** The body that reports an error: a few words for people, and everything that the page's client needs. */
function bodyOf(
  error: CardPlatformError,
  words: object,
  left: Parameters<typeof reportOf>[2] = [],
) {
  return { ...words, [REPORT]: reportOf(error, NO_SECRETS, left) };
}

function ofApiError(error: ApiError): PageResponse {
  const { outcome, requestId, retryAfterMs, serverCode, serverMessage } = error;
  // The message of a failure may describe internals of the service. One that the contract documents
  // is meant for users.
  const isForUsers = error.status < 500 || error.code !== 'server_error';
  const words = {
    message: (isForUsers ? serverMessage : undefined) ?? MESSAGES[outcome],
    ...(serverCode !== undefined && isForUsers && { code: serverCode }),
    ...(error.fieldErrors.length > 0 && isForUsers && { errors: error.fieldErrors }),
    ...evidenceIn(evidenceOfExecution(error.body)),
  };
  const left = isForUsers
    ? []
    : (['serverMessage', 'serverCode', 'details', 'fieldErrors'] as const);
  const status = statusFor(error.status, outcome);
  return { status, outcome, requestId, retryAfterMs, body: bodyOf(error, words, left) };
}

function ofRejection(error: OperationRejectedError): PageResponse {
  const { outcome, serverMessage: message, serverCode: code } = error;
  const words = { message: message ?? MESSAGES[outcome], code, ...evidenceIn(error.evidence) };
  const status = outcome === 'rejected' ? 400 : statusOfFailure(outcome, false);
  return { status, outcome, body: bodyOf(error, words) };
}

/** The service's time in an error of a call; `undefined` in one of another call, perhaps to another server. */
export function timeIn(error: unknown, operation: string | undefined): number | undefined {
  if (!isApiError(error) || error.operation !== operation) return undefined;
  return serviceTime(new Headers(error.headers), false);
}

/** Returns the response to a page for a failure: never more than its user may know. */
export function pageResponseTo(error: unknown): PageResponse {
  if (error instanceof Refusal) {
    const { status, message, reason, headers } = error;
    const body = { message, code: reason, [REPORT]: REFUSED_BY_PROXY };
    return { status, headers, outcome: 'not_sent', body };
  }
  const outcome = outcomeOf(error);
  if (!isCardPlatformError(error)) {
    const status = statusOfFailure(outcome, false);
    // Of another error, nothing is known: the page decides by its own call.
    const next = knownStepOf(error);
    const report = next && { [REPORT]: endedByServer(next) };
    return { status, outcome, body: { message: FAILED_HERE, ...report } };
  }
  if (isApiError(error)) return ofApiError(error);
  if (isNamed(error, 'OperationRejectedError')) return ofRejection(error);
  const { code } = error;
  if (isNamed(error, 'RequestValidationError')) {
    const errors = error.issues.map(({ path, message }) => ({ field: path, message }));
    const words = { message: 'The request is not valid.', code, errors };
    return { status: 422, outcome, body: bodyOf(error, words) };
  }
  const status = NEEDS_LOGIN.includes(code) ? 401 : statusOfFailure(outcome, code === 'timeout');
  return { status, outcome, body: bodyOf(error, { message: MESSAGES[outcome], code }) };
}

/**
 * Returns the response that reports a failed call to a page's client, for routes of your own beside
 * the proxy, such as a login. The client throws the same class of error with the same `outcome`.
 * The response contains no credential, and none of the texts that are for your log.
 *
 * @param error - the error of a call
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createErrorResponse } from 'card-platform-sdk/server';
 *
 * const client = new CardPlatformClient({
 *   baseUrl: 'https://api.example.com',
 *   clientKey: 'your-client-key',
 * });
 *
 * export async function logIn(request: Request): Promise<Response> {
 *   const { email, password, otpCode } = await request.json();
 *   const { ok, data, error } = await client.auth.login({ email, password, otpCode }).safe();
 *   if (!ok) return createErrorResponse(error);
 *   if (data.phase) return Response.json({ phase: data.phase });
 *   const headers = { 'set-cookie': await openSession(data.accessToken) };
 *   return Response.json({ next: 'done' }, { headers });
 * }
 *
 * declare function openSession(accessToken: string): Promise<string>;
 * ```
 */
export function createErrorResponse(error: unknown): Response {
  return writeResponse(pageResponseTo(error));
}
