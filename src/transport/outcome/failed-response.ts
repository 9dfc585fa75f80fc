import type { Endpoint } from '../../contract/endpoint.js';
import type { RetryClass } from '../../contract/retry-policy.js';
import { RedirectError } from '../../errors/index.js';
import { readReport } from '../response/error-report.js';
import { type HasInput, readErrorResponse } from '../response/error-response.js';
import { evidenceOfExecution } from '../response/evidence.js';
import type { HttpResponse } from '../response/http-response.js';
import type { SecretValues } from '../response/redact.js';
import { targetOrigin } from '../response/redirect-target.js';
import { reportedError } from '../response/reported-error.js';
import type { FailedAttempt } from './attempt-result.js';
import type { ExchangeFacts } from './facts.js';
import { outcomesOf } from './outcome.js';
import { reportedOutcome } from './reported-outcome.js';

/** A whole response that is not a success. */
export type FailedResponse = {
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

/** Judges a redirect. Its target may be anyone's, so only the origin is reported. */
export function redirectResponse(response: HttpResponse, requestUrl: string): FailedAttempt {
  const { status, headers } = response;
  const location = headers.get('location');
  const target = location === null ? undefined : targetOrigin(location, requestUrl);
  return {
    status,
    response,
    outcome: 'unknown',
    kind: 'final',
    timedOut: false,
    toError: (call) => new RedirectError(status, target, call),
  };
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
  const report = reported?.by === 'service' ? reported.report : undefined;
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
    mayPass: report?.isRetryable,
    timedOut: false,
    retryAfterMs: read.retryAfterMs,
    toError: (call) => {
      if (report !== undefined) {
        return reportedError(report, call, (one) => read.toError(call, { report: one }));
      }
      return read.toError(call, reported && { responder: RESPONDERS[reported.by] });
    },
  };
}
