import type { RetryClass } from '../../contract/retry-policy.js';
import {
  BodyReadError,
  ConnectionError,
  ProtocolError,
  ResponseTooLargeError,
  TimeoutError,
  TlsError,
} from '../../errors/index.js';
import type { FailedAttempt } from './attempt-result.js';
import { type Clean, causeOf, describeThrown } from './cause.js';
import type { ExchangeFacts } from './facts.js';
import { BodyMissing, BodyNotText, BodyTooLong, NotAResponse } from './failures.js';
import { failureCode, isA, isCertificateFailure, isTlsFailure } from './network-error.js';
import { outcomeOfAttempt } from './outcome.js';

/** An exchange that failed before its whole response was read. */
export type FailedExchange = {
  facts: ExchangeFacts;
  /** Whatever was thrown. */
  failure: unknown;
  retryClass: RetryClass;
  /** Whether the caller's own `fetch` sent the request. */
  isForeign: boolean;
  clean: Clean;
};

function unread({ facts, retryClass }: Pick<FailedExchange, 'facts' | 'retryClass'>) {
  return outcomeOfAttempt(
    { ...facts, isBodyRead: false, isRefusal: false, hasEvidence: false },
    retryClass,
  );
}

function kindOfStatus(status: number | undefined): 'no-response' | 'status' {
  return status === undefined || status < 300 ? 'no-response' : 'status';
}

/** No response began. */
function withoutResponse(exchange: FailedExchange): FailedAttempt {
  const { facts, failure, isForeign, clean } = exchange;
  const isSent = facts.connection !== 'none';
  const isTls = !isSent && isTlsFailure(failure);
  const code = failureCode(failure);
  const named = code === undefined ? '' : ` (${code})`;
  const made = isTls ? 'the TLS connection could not be made' : 'the connection could not be made';
  const failed = isSent ? 'the connection failed' : made;
  const isOwnError = isForeign && code === undefined;
  const message = isOwnError
    ? `the fetch that sends requests threw ${describeThrown(failure, clean)}.`
    : `${failed}${named}.`;
  const cause = causeOf(failure, isOwnError ? clean : undefined);
  return {
    status: undefined,
    outcome: unread(exchange),
    kind: isSent ? 'no-response' : isFinal(failure) ? 'final' : 'no-connection',
    timedOut: false,
    toError: (call) => new (isTls ? TlsError : ConnectionError)({ ...call, message }, cause),
  };
}

// A certificate, or a port without TLS, stays what it is.
function isFinal(failure: unknown): boolean {
  return isCertificateFailure(failure) || isTlsFailure(failure);
}

/** What `fetch` returned cannot be read as a response. */
function unusable(exchange: FailedExchange, what: string): FailedAttempt {
  const { status } = exchange.facts;
  const message = `the fetch that sends requests returned ${what} instead of a Response.`;
  return {
    status,
    outcome: unread(exchange),
    kind: 'final',
    timedOut: false,
    toError: (call) =>
      new ProtocolError({ ...call, status: status ?? 0, code: 'fetch_response_invalid', message }),
  };
}

/** A response began, and its body could not be read. */
function withoutBody(exchange: FailedExchange, status: number): FailedAttempt {
  const { failure } = exchange;
  const brokeOff = !(
    isA(failure, BodyTooLong) ||
    isA(failure, BodyNotText) ||
    isA(failure, BodyMissing)
  );
  const missing = isA(failure, BodyMissing)
    ? { message: 'the response has neither a body stream nor text().' }
    : {};
  return {
    status,
    outcome: unread(exchange),
    kind: brokeOff ? kindOfStatus(status) : 'final',
    timedOut: false,
    toError: (call) =>
      isA(failure, BodyTooLong)
        ? new ResponseTooLargeError(status, failure.limit, call)
        : new BodyReadError(status, { ...call, ...missing }, causeOf(failure)),
  };
}

/** Judges an exchange that failed by itself. */
export function failedExchange(exchange: FailedExchange): FailedAttempt {
  const { failure, facts } = exchange;
  if (isA(failure, NotAResponse)) return unusable(exchange, failure.what);
  return facts.status === undefined
    ? withoutResponse(exchange)
    : withoutBody(exchange, facts.status);
}

/** Judges an exchange that ran out of time. */
export function timedOutExchange(
  exchange: Pick<FailedExchange, 'facts' | 'retryClass'>,
  limit: number,
): FailedAttempt {
  const { status, connection } = exchange.facts;
  const waiting = connection === 'none' ? 'connect' : 'headers';
  return {
    status,
    outcome: unread(exchange),
    kind: connection === 'none' ? 'no-connection' : kindOfStatus(status),
    timedOut: true,
    toError: (call) => new TimeoutError(status === undefined ? waiting : 'body', limit, call),
  };
}

/** Time ran out while middleware kept the request from leaving. */
export function heldBackAttempt(limit: number): FailedAttempt {
  return {
    status: undefined,
    outcome: 'not_sent',
    kind: 'final',
    timedOut: true,
    toError: (call) => new TimeoutError('middleware', limit, call),
  };
}

/** The outcome of an exchange that the caller aborted. */
export const outcomeOfAborted = unread;
