import type { RetryClass } from '../../contract/retry-policy.js';
import {
  BodyReadError,
  ConnectionError,
  type Outcome,
  ProtocolError,
  RedirectError,
  ResponseTooLargeError,
  TimeoutError,
  TlsError,
} from '../../errors/index.js';
import type { FailedAttempt } from './attempt-result.js';
import { type Clean, causeOf, describeThrown } from './cause.js';
import type { ExchangeFacts } from './facts.js';
import {
  BodyMissing,
  BodyNotText,
  BodyTooLong,
  FollowedRedirect,
  NotAResponse,
} from './failures.js';
import { failureCode, isInstance, isTlsFailure } from './network-error.js';
import { outcomeOfAttempt, outcomesOf, UNREAD } from './outcome.js';

/** An exchange that failed before its whole response was read. */
export type FailedExchange = {
  facts: ExchangeFacts;
  /** The thrown value. */
  failure: unknown;
  retryClass: RetryClass;
  /** Whether a `fetch` from outside this package sent the request. */
  isForeign: boolean;
  clean: Clean;
};

/** The outcome of an exchange that failed, or was aborted, before its whole response was read. */
export function outcomeOfExchange({
  facts,
  retryClass,
}: Pick<FailedExchange, 'facts' | 'retryClass'>): Outcome {
  return outcomeOfAttempt({ ...facts, ...UNREAD }, retryClass);
}

const judged = ({ facts, retryClass }: Pick<FailedExchange, 'facts' | 'retryClass'>) =>
  outcomesOf({ ...facts, ...UNREAD }, retryClass);

function kindOfStatus(status: number | undefined): 'no-response' | 'status' {
  return status === undefined || status < 300 ? 'no-response' : 'status';
}

/** No response began. */
function failedBeforeResponse(exchange: FailedExchange): FailedAttempt {
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
    ...judged(exchange),
    kind: isSent ? 'no-response' : isTls ? 'final' : 'no-connection',
    timedOut: false,
    toError: (call) => new (isTls ? TlsError : ConnectionError)({ ...call, message }, cause),
  };
}

/** `fetch` returned something that is not a response. */
function invalidFetchResult(exchange: FailedExchange, what: string): FailedAttempt {
  const { status } = exchange.facts;
  const message = `the fetch that sends requests returned ${what} instead of a Response.`;
  return {
    status,
    ...judged(exchange),
    kind: 'final',
    timedOut: false,
    toError: (call) =>
      new ProtocolError({ ...call, status: status ?? 0, code: 'fetch_response_invalid', message }),
  };
}

/**
 * `fetch` followed a redirect, so the response may be anyone's. It proves nothing: neither that the
 * service acted nor that it refused, and its headers are not shown to middleware.
 */
function followedRedirect(status: number, origin: string | undefined): FailedAttempt {
  return {
    status,
    outcome: 'unknown',
    kind: 'final',
    timedOut: false,
    toError: (call) => new RedirectError(status, origin, call, true),
  };
}

function describeMissing({ reader, isThere }: BodyMissing): string {
  if (reader === 'stream') return 'the body stream of the response did not return bytes.';
  return isThere
    ? `${reader}() of the response did not return its body.`
    : `the response has neither a body stream nor ${reader}().`;
}

/** A response began, and its body could not be read. */
function failedInBody(exchange: FailedExchange, status: number): FailedAttempt {
  const { failure } = exchange;
  const brokeOff = !(
    isInstance(failure, BodyTooLong) ||
    isInstance(failure, BodyNotText) ||
    isInstance(failure, BodyMissing)
  );
  const missing = isInstance(failure, BodyMissing) ? { message: describeMissing(failure) } : {};
  return {
    status,
    ...judged(exchange),
    kind: brokeOff ? kindOfStatus(status) : 'final',
    timedOut: false,
    toError: (call) =>
      isInstance(failure, BodyTooLong)
        ? new ResponseTooLargeError(status, failure.limit, call)
        : new BodyReadError(status, { ...call, ...missing }, causeOf(failure)),
  };
}

/** Judges an exchange that failed without being cut short. */
export function failedExchange(exchange: FailedExchange): FailedAttempt {
  const { failure, facts } = exchange;
  if (isInstance(failure, NotAResponse)) return invalidFetchResult(exchange, failure.what);
  if (isInstance(failure, FollowedRedirect)) {
    return followedRedirect(facts.status ?? 0, failure.origin);
  }
  return facts.status === undefined
    ? failedBeforeResponse(exchange)
    : failedInBody(exchange, facts.status);
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
    ...judged(exchange),
    kind: connection === 'none' ? 'no-connection' : kindOfStatus(status),
    timedOut: true,
    toError: (call) => new TimeoutError(status === undefined ? waiting : 'body', limit, call),
  };
}

/** Time ran out while middleware kept the request from leaving. */
export function timedOutInMiddleware(limit: number): FailedAttempt {
  return {
    status: undefined,
    outcome: 'not_sent',
    kind: 'final',
    timedOut: true,
    toError: (call) => new TimeoutError('middleware', limit, call),
  };
}
