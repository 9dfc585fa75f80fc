import { SERVICE_DATE_HEADER } from '../contract/proxy-headers.js';
import type { Outcome } from '../errors/index.js';
import { OUTCOME_HEADER } from '../transport/response/error-report.js';
import type { SecretValues } from '../transport/response/redact.js';

/** A response for the page before it is written. */
export type PageResponse = {
  readonly status: number;
  /** A JSON value; `undefined` for no body. */
  readonly body: unknown;
  readonly requestId?: string | undefined;
  /** The `Date` of the service's response, by which a journal in the page decides. */
  readonly date?: number | undefined;
  /** Of a failure. */
  readonly outcome?: Outcome | undefined;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
};

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const;

const HAS_NO_BODY = new Set([204, 205]);

/** Replaces every secret in the body and the headers of a response. */
export function withoutSecrets(response: PageResponse, secrets: SecretValues): PageResponse {
  const { body, requestId, headers = {} } = response;
  const shown = Object.entries(headers).map(([name, value]) => [name, secrets.redact(value)]);
  return {
    ...response,
    // Most responses contain none, and their text is the faster one to search.
    ...(secrets.redact(JSON.stringify(body) ?? '') !== (JSON.stringify(body) ?? '') && {
      body: secrets.redactJson(body),
    }),
    requestId: requestId === undefined ? undefined : secrets.redact(requestId),
    headers: Object.fromEntries(shown),
  };
}

/** Returns the headers of a response: from the service only request id, `date` and `retry-after`. */
function headersOf({ requestId, date, outcome, retryAfterMs, headers }: PageResponse): HeadersInit {
  return {
    ...HEADERS,
    ...headers,
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(date !== undefined && { [SERVICE_DATE_HEADER]: new Date(date).toUTCString() }),
    ...(outcome !== undefined && { [OUTCOME_HEADER]: outcome }),
    ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
  };
}

/** Writes a response. */
export function writeResponse(response: PageResponse): Response {
  const { status } = response;
  const isEmpty = HAS_NO_BODY.has(status) || response.body === undefined;
  const text = isEmpty ? undefined : JSON.stringify(response.body);
  const headers = new Headers(headersOf(response));
  if (text !== undefined) headers.set('content-type', 'application/json');
  return new Response(text ?? null, { status, headers });
}
