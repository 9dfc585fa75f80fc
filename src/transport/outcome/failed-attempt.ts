import type { BusinessErrorCode } from '../../contract/business-errors.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { POLICY_OF_CLASS, type RetryClass, type RetryPolicy } from '../../contract/retry-policy.js';
import {
  BodyReadError,
  type CardPlatformError,
  ConnectionError,
  type NextStep,
  type Outcome,
  ProtocolError,
  RedirectError,
  ResponseTooLargeError,
  TimeoutError,
  TlsError,
} from '../../errors/index.js';
import { reportedError } from '../response/error-from-report.js';
import {
  kindOfCode,
  type Reported,
  readReport,
  reportedOutcome,
} from '../response/error-report.js';
import { type CallSummary, type HasInput, readErrorResponse } from '../response/error-response.js';
import { evidenceOfExecution } from '../response/evidence.js';
import { type HttpResponse, targetOrigin } from '../response/http-response.js';
import type { SecretValues } from '../response/redact.js';
import {
  BodyMissing,
  BodyNotText,
  BodyTooLong,
  type Clean,
  causeOf,
  describeThrown,
  FollowedRedirect,
  failureCode,
  isInstance,
  isTlsFailure,
  NotAResponse,
} from './network-error.js';
import {
  type ExchangeFacts,
  isSafeToResend,
  mayHaveActed,
  outcomeOfAttempt,
  outcomesOf,
  UNREAD,
} from './outcome.js';

/**
 * What kind of failure it is, for the retry decision: nothing was sent (`no-connection`), no whole
 * response came (`no-response`), an error status (`status`), or something that another attempt
 * cannot change (`final`).
 */
type FailureKind = 'no-connection' | 'no-response' | 'status' | 'final';

/** An attempt that got no usable response. */
export type FailedAttempt = {
  /** `undefined` when no response began. */
  status: number | undefined;
  /** A whole response, where one came. */
  response?: HttpResponse | undefined;
  businessCode?: BusinessErrorCode | undefined;
  /** Whether the service itself refused, in a documented error form. */
  isRefusal?: boolean | undefined;
  outcome: Outcome;
  probableOutcome?: Outcome | undefined;
  kind: FailureKind;
  /** Whether a proxy reported the outcome: it has already made the retries that the endpoint allows. */
  isReported?: boolean;
  /** Whether another call may succeed, as a proxy reports it. Default: as the failure suggests. */
  mayPass?: boolean | undefined;
  timedOut: boolean;
  retryAfterMs?: number | undefined;
  toError(facts: CallSummary): CardPlatformError;
};

/** Whether the failure may be temporary. */
function isTransient({ kind, status }: FailedAttempt): boolean {
  if (kind === 'final') return false;
  return kind !== 'status' || status === 408 || status === 429 || Number(status) >= 500;
}

/**
 * Whether the declaration forbids a retry after this failure, although its class allows one: the first
 * request may have had an effect that a second one would repeat or hide.
 */
function isForbidden({ kind, status = 0 }: FailedAttempt, policy: RetryPolicy): boolean {
  const { afterNoResponse, afterStatuses, maxRequests } = POLICY_OF_CLASS[policy.class];
  if (policy.maxRequests === 1 && maxRequests > 1) return true;
  if (kind === 'no-response' || status === 408) return afterNoResponse && !policy.afterNoResponse;
  const isLowered = policy.afterStatuses.length < afterStatuses.length;
  return isLowered && status >= 500 && !policy.afterStatuses.includes(status);
}

/**
 * Whether the caller may send the same call again with a chance of success.
 *
 * @param outcome - of the whole call
 */
export function isRetryable(failed: FailedAttempt, outcome: Outcome, policy: RetryPolicy): boolean {
  if (!isSafeToResend(policy.class, outcome)) return false;
  // A proxy knows what happened behind it, and the page sees only a status for it.
  if (failed.mayPass !== undefined) return failed.mayPass;
  const isInDoubt = policy.class !== 'safe' && mayHaveActed(outcome);
  return isTransient(failed) && !(isInDoubt && isForbidden(failed, policy));
}

/** An exchange that failed before its whole response was read. */
type FailedExchange = {
  facts: ExchangeFacts;
  /** The thrown value. */
  failure: unknown;
  /** The URL of the service, as the client was told. */
  baseUrl: string;
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

/** What to check first when no connection could be made. */
const TO_CHECK: readonly (readonly [RegExp, string])[] = [
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'Check the host in baseUrl, and the network.'],
  [/^ECONNREFUSED$/, 'Check baseUrl, and that the server is running.'],
  [/^CERT_HAS_EXPIRED$/, 'The certificate of the server has expired.'],
  [
    /^(?:HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    'The certificate of the server is for another host: check baseUrl.',
  ],
  [
    /SELF_SIGNED|^UNABLE_TO_(?:GET|VERIFY)/,
    'This machine does not trust the certificate of the server. Node reads further authorities from the file in NODE_EXTRA_CA_CERTS.',
  ],
  [/^(?:EPROTO|ERR_SSL_)/, 'Check that the port in baseUrl is for https.'],
];

function whatToCheck(code = ''): string {
  const [, advice] = TO_CHECK.find(([codes]) => codes.test(code)) ?? [];
  return advice === undefined ? '' : ` ${advice}`;
}

/** No response began. */
function failedBeforeResponse(exchange: FailedExchange): FailedAttempt {
  const { facts, failure, baseUrl, isForeign, clean } = exchange;
  const isSent = facts.connection !== 'none';
  const isTls = !isSent && isTlsFailure(failure);
  const code = failureCode(failure);
  const named = code === undefined ? '' : ` (${code})`;
  const made = `the ${isTls ? 'TLS ' : ''}connection to ${baseUrl} could not be made`;
  const failed = isSent ? `the connection to ${baseUrl} failed` : made;
  const isOwnError = isForeign && code === undefined;
  const message = isOwnError
    ? `the fetch that sends requests threw ${describeThrown(failure, clean)}.`
    : `${failed}${named}.${isSent ? '' : whatToCheck(code)}`;
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

/** A whole response that is not a success. */
type FailedResponse = {
  response: HttpResponse;
  facts: ExchangeFacts;
  endpoint: Endpoint;
  retryClass: RetryClass;
  secrets: SecretValues;
  /** The texts of the request. */
  sent: readonly string[];
  hasInput: HasInput;
  /** Whether a proxy of `card-platform-sdk/server` sent it. */
  isProxied: boolean;
  /** Milliseconds since 1970. */
  now: number;
};

const RESPONDERS = {
  service: 'the service',
  proxy: 'the proxy',
  server: 'your server (not the service)',
} as const;

/** A response without a result, after which nothing is known and no attempt follows. */
function withoutResult(response: HttpResponse, toError: FailedAttempt['toError']): FailedAttempt {
  const { status } = response;
  return { status, response, outcome: 'unknown', kind: 'final', timedOut: false, toError };
}

/** Judges a redirect. Its target may be anyone's, so only the origin is reported. */
export function redirectResponse(response: HttpResponse, requestUrl: string): FailedAttempt {
  const { status, headers } = response;
  const location = headers.get('location');
  const target = location === null ? undefined : targetOrigin(location, requestUrl);
  return withoutResult(response, (call) => new RedirectError(status, target, call));
}

/** Judges the response to a condition of the caller's own headers. */
export function notModifiedResponse(response: HttpResponse): FailedAttempt {
  const { status } = response;
  const message =
    'the response is 304 (Not Modified), which has no content: do not send if-none-match or if-modified-since.';
  return withoutResult(response, (call) => new ProtocolError({ ...call, status, message }));
}

/** The steps after which somebody sends the same request again, because nothing was done. */
const SENDS_AGAIN: readonly NextStep[] = ['retry', 'show_user'];
/** The steps of what was done, or may have been. */
const SAYS_DONE: readonly NextStep[] = ['look_up', 'done'];

/**
 * The step that a report names, where it fits the call of the page. A report comes from another program
 * and is about the last request: an earlier one may have come further, and the endpoint of the page may be
 * one that must not be repeated. A delegation looks before it sends anything, so its steps always fit.
 */
function acceptedStep(
  { next, report }: Pick<Reported, 'next' | 'report'>,
  outcome: Outcome | undefined,
  call: CallSummary,
  retryClass: RetryClass,
): NextStep | undefined {
  if (next === undefined || outcome !== call.outcome || call.isRetryable) return undefined;
  if (report !== undefined && kindOfCode(report.code) === 'chain') return next;
  const mayBeDone = retryClass !== 'safe' && mayHaveActed(call.outcome);
  return (mayBeDone ? SENDS_AGAIN : SAYS_DONE).includes(next) ? undefined : next;
}

/** Whether a report says that a failure may pass; `undefined` if it says nothing of it. */
function mayPassBy({ report, next }: Pick<Reported, 'next' | 'report'>): boolean | undefined {
  if (report !== undefined || next === undefined) return report?.isRetryable;
  return SAYS_DONE.includes(next) ? undefined : next === 'retry';
}

/** Judges an error status and its body. */
export function refusedResponse(failed: FailedResponse): FailedAttempt {
  const { response, facts, endpoint, retryClass, secrets, sent, now, hasInput } = failed;
  const { status } = response;
  const read = readErrorResponse(response, endpoint, secrets, now, hasInput);
  const attemptFacts = {
    ...facts,
    says: read.isDocumentedForm ? ('refusal' as const) : ('nothing' as const),
    hasEvidence: Object.keys(evidenceOfExecution(read.parsed, sent)).length > 0,
  };
  const isDocumentedRefusal = read.businessCode !== undefined;
  const reported = failed.isProxied ? readReport(read.parsed, read.secrets) : undefined;
  const { report } = reported ?? {};
  // Pages of another origin may not see the header.
  const stated = failed.isProxied
    ? (reportedOutcome(response.headers) ?? report?.outcome)
    : undefined;
  return {
    status,
    response,
    businessCode: read.businessCode,
    isRefusal: read.isDocumentedForm,
    ...outcomesOf(attemptFacts, retryClass, { isDocumentedRefusal, reported: stated }),
    ...(report !== undefined && { probableOutcome: report.probableOutcome }),
    // A refusal that the contract documents stays the same on every retry.
    kind: status >= 500 && isDocumentedRefusal ? 'final' : 'status',
    isReported: stated !== undefined,
    mayPass: mayPassBy(reported ?? {}),
    timedOut: false,
    retryAfterMs: read.retryAfterMs,
    toError: (given) => {
      const outcome = report?.outcome ?? stated;
      const next = acceptedStep(reported ?? {}, outcome, given, retryClass);
      const call = { ...given, next };
      if (report !== undefined) {
        return reportedError(report, call, (one) => read.toError(call, { report: one }));
      }
      return read.toError(call, reported && { responder: RESPONDERS[reported.by] });
    },
  };
}
