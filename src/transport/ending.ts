import type { BusinessErrorCode } from '../contract/business-errors.js';
import {
  BodyReadError,
  type CardPlatformError,
  ConnectionError,
  type Outcome,
  RedirectError,
  ResponseTooLargeError,
  TimeoutError,
  type TimeoutPhase,
  TlsError,
} from '../errors/index.js';
import { TooLong } from './body.js';
import type { Progress } from './exchange.js';
import { judgeFailure } from './network-failure.js';
import type { Refusal } from './refusal.js';

/** What an error says about the whole call, known only once the call ends. */
export type EndingFacts = {
  operation: string;
  outcome: Outcome;
  probableOutcome?: Outcome | undefined;
  attempts: number;
};

/** How an attempt ended that gave no usable answer. */
export type Ending = {
  /** `undefined` when no answer began. */
  status: number | undefined;
  /** Of a whole answer. */
  headers?: Headers | undefined;
  businessCode?: BusinessErrorCode | undefined;
  /** What is known of the effect of this attempt. */
  outcome: Outcome;
  /**
   * What it is a case of, for the repeat matrix: nothing arrived (`connect`), nothing came back
   * (`no-answer`), an error status (`status`), or something that a repeat cannot mend (`final`).
   */
  column: 'connect' | 'no-answer' | 'status' | 'final';
  timedOut: boolean;
  retryAfterMs?: number | undefined;
  toError(facts: EndingFacts): CardPlatformError;
};

/** What a status alone says of the effect, when the body cannot be read. */
export function outcomeOfStatus(status: number): Outcome {
  if (status >= 200 && status < 300) return 'executed';
  return status >= 400 && status < 500 && status !== 408 ? 'rejected' : 'unknown';
}

// A cause is rebuilt from name and code: the original may quote the request.
function causeOf(failure: unknown, code: string | undefined): Error | undefined {
  if (!(failure instanceof Error)) return undefined;
  const cause = new Error(code ?? 'the runtime gives no reason');
  cause.name = /^[A-Za-z]{1,40}$/.test(failure.name) ? failure.name : 'Error';
  if (code !== undefined) Object.assign(cause, { code });
  return cause;
}

function shownCode(code: string | undefined): string | undefined {
  return code !== undefined && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
}

/** The connection failed before an answer began. */
export function connectionEnding(failure: unknown, provesNonDelivery: boolean): Ending {
  const judged = judgeFailure(failure);
  const code = shownCode(judged.code);
  const kind = provesNonDelivery ? judged.kind : 'unknown';
  const cause = causeOf(failure, code);
  const named = code === undefined ? '' : ` (${code})`;
  const told = { 'not-sent': 'could not be made', tls: 'has no valid TLS', unknown: 'failed' };
  const message = `the connection ${told[kind]}${named}.`;
  return {
    status: undefined,
    outcome: kind === 'unknown' ? 'unknown' : 'not_sent',
    column: kind === 'not-sent' ? 'connect' : kind === 'tls' ? 'final' : 'no-answer',
    timedOut: false,
    toError: (facts) =>
      kind === 'tls'
        ? new TlsError({ ...facts, message }, cause)
        : new ConnectionError({ ...facts, message }, cause),
  };
}

/** Time ran out. */
export function timeoutEnding(phase: TimeoutPhase, limit: number, progress: Progress): Ending {
  const { status } = progress;
  return {
    status,
    outcome: status === undefined ? 'unknown' : outcomeOfStatus(status),
    column: status === undefined || status < 300 ? 'no-answer' : 'status',
    timedOut: true,
    toError: (facts) => new TimeoutError(phase, limit, facts),
  };
}

/** Time ran out while middleware kept the request from leaving. */
export function heldBackEnding(limit: number): Ending {
  return {
    status: undefined,
    outcome: 'not_sent',
    column: 'final',
    timedOut: true,
    toError: (facts) => new TimeoutError('middleware', limit, facts),
  };
}

/** An answer began, and its body could not be read. */
export function bodyEnding(failure: unknown, status: number, brokeOff: boolean): Ending {
  const mended = status < 300 ? 'no-answer' : 'status';
  return {
    status,
    outcome: outcomeOfStatus(status),
    column: brokeOff ? mended : 'final',
    timedOut: false,
    toError: (facts) =>
      failure instanceof TooLong
        ? new ResponseTooLargeError(status, failure.limit, facts)
        : new BodyReadError(status, facts, causeOf(failure, shownCode(judgeFailure(failure).code))),
  };
}

/** A redirect. Its target may be anyone's, so only the origin is told. */
export function redirectEnding(status: number, headers: Headers, baseUrl: string): Ending {
  const location = headers.get('location');
  const isUrl = location !== null && URL.canParse(location, baseUrl);
  const target = isUrl ? new URL(location, baseUrl).origin : undefined;
  return {
    status,
    headers,
    outcome: 'unknown',
    column: 'final',
    timedOut: false,
    toError: (facts) => new RedirectError(status, target === 'null' ? undefined : target, facts),
  };
}

/** The service answered with an error status. */
export function refusalEnding(refusal: Refusal, headers: Headers): Ending {
  return {
    status: refusal.status,
    headers,
    businessCode: refusal.businessCode,
    outcome: refusal.outcome,
    column: refusal.status >= 500 && refusal.outcome === 'rejected' ? 'final' : 'status',
    timedOut: false,
    retryAfterMs: refusal.retryAfterMs,
    toError: (facts) => refusal.toError(facts),
  };
}
