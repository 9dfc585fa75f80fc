import {
  type ApiError,
  BodyReadError,
  CardPlatformError,
  ConfigurationError,
  ConnectionError,
  type OperationRejectedCode,
  OperationRejectedError,
  PaginationError,
  PollingTimeoutError,
  ProtocolError,
  type ProtocolErrorCode,
  RedirectError,
  RequestValidationError,
  ResponseTooLargeError,
  ResponseValidationError,
  TimeoutError,
  TlsError,
  type WebhookVerificationCode,
  WebhookVerificationError,
} from '../../errors/index.js';
import { type CodeKind, type ErrorReport, kindOfCode } from './error-report.js';
import type { CallSummary } from './error-response.js';

/** Builds the error of a response, as `error-response.ts` does for one of the service. */
type BuildApiError = (report: ErrorReport) => ApiError;

type Facts = CallSummary & { isBehindProxy: true };

function protocolError(report: ErrorReport, facts: Facts): ProtocolError {
  const { status = 0, name } = report;
  const code = report.code as ProtocolErrorCode;
  switch (name) {
    case 'RedirectError':
      return new RedirectError(status, undefined, facts);
    case 'BodyReadError':
      return new BodyReadError(status, facts);
    case 'ResponseTooLargeError':
      return new ResponseTooLargeError(status, undefined, facts);
    case 'ResponseValidationError':
      return new ResponseValidationError(status, report.issues ?? [], undefined, {
        ...facts,
        serverMessage: report.serverMessage,
      });
    default:
      return new ProtocolError({ ...facts, status, code, message: 'the response is not usable.' });
  }
}

/** The fields of errors whose classes this part of the package does not have. */
const FIELDS_OF_KIND: Readonly<Partial<Record<CodeKind, readonly (keyof ErrorReport)[]>>> = {
  chain: [
    'transactionId',
    'fields',
    'field',
    'expected',
    'actual',
    'approvedAmount',
    'registeredAmount',
    'accountKind',
    'delegate',
    'delegatedAmount',
    'reason',
  ],
  session: ['reason'],
  oauth: ['redirectError'],
};

/** An error of a class that this part of the package does not have, with the fields of its guards. */
function namedError(report: ErrorReport, kind: CodeKind, facts: Facts) {
  const { name, code } = report;
  const message = `the server reported ${code}.`;
  const error = new CardPlatformError({ ...facts, code, message });
  // The guards look for some of them, also where they are `undefined`.
  const fields = FIELDS_OF_KIND[kind]?.map((field) => [field, report[field]]) ?? [];
  return Object.assign(error, { name, ...Object.fromEntries(fields) });
}

function build(
  report: ErrorReport,
  kind: CodeKind,
  facts: Facts,
  apiError: BuildApiError,
): CardPlatformError {
  const { code, name, status, issues = [], evidence, option = 'an option', timeoutMs = 0 } = report;
  const { operation, outcome } = facts;
  if (kind === 'refusal') {
    return evidence === undefined ? apiError(report) : build(report, 'rejected', facts, apiError);
  }
  switch (kind) {
    case 'status':
      return apiError(report);
    case 'rejected': {
      const { serverMessage: message, serverCode } = report;
      const isContradicted = Object.keys(evidence ?? {}).length > 0;
      return new OperationRejectedError(
        status ?? 200,
        { message, serverCode, evidence: evidence ?? {}, isContradicted, data: undefined },
        { ...facts, code: code as OperationRejectedCode },
      );
    }
    case 'connection': {
      const made = outcome === 'not_sent' ? 'could not be made' : 'failed';
      return code === 'tls_failed'
        ? new TlsError({ ...facts, message: 'the TLS connection could not be made.' })
        : new ConnectionError({ ...facts, message: `the connection ${made}.` });
    }
    case 'protocol':
      return protocolError(report, facts);
    case 'timeout':
      return name === 'PollingTimeoutError' && outcome === 'rejected'
        ? new PollingTimeoutError(timeoutMs, operation, undefined)
        : new TimeoutError(report.phase ?? 'headers', timeoutMs, facts);
    case 'input':
      return new RequestValidationError(issues, operation);
    case 'configuration':
      return new ConfigurationError(
        option,
        'the server is not configured for this call.',
        operation,
      );
    case 'paging':
      return new PaginationError(operation, report.page ?? 0, 'the server stopped reading pages.');
    case 'webhook':
      return new WebhookVerificationError(
        code as WebhookVerificationCode,
        'the server did not accept the delivery.',
      );
    default:
      return namedError(report, kind, facts);
  }
}

/**
 * Builds the error that a proxy reports, so that guards, codes and fields are in the page what they are
 * on the server. The message says that the failure lies behind the proxy.
 *
 * @param call - the facts of the page's own call, with the reported outcome
 * @param apiError - builds an error response of the service
 */
export function reportedError(
  report: ErrorReport,
  call: CallSummary,
  apiError: BuildApiError,
): CardPlatformError {
  const facts: Facts = { ...call, isBehindProxy: true };
  const kind = kindOfCode(report.code) ?? 'client';
  const error = build(report, kind, facts, apiError);
  // Some classes have an outcome of their own. A report that contradicts it is not one of them.
  return error.outcome === call.outcome ? error : namedError(report, 'client', facts);
}
