import type { Outcome } from '../errors/index.js';
import { OUTCOME_HEADER } from '../transport/outcome/reported-outcome.js';

/** A response for the page before it is written. */
export type PageResponse = {
  readonly status: number;
  /** A JSON value; `undefined` for no body. */
  readonly body: unknown;
  readonly requestId?: string | undefined;
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

/** Returns whether a text holds one of the values, as JSON or a URL spells it. */
export function holdsAny(text: string, values: readonly string[]): boolean {
  return values.some((value) => {
    const escaped = JSON.stringify(value).slice(1, -1);
    return [value, escaped, encodeURIComponent(value)].some((one) => text.includes(one));
  });
}

/** Returns the headers of a response: from the service only request id and `retry-after`. */
function headersOf({ requestId, outcome, retryAfterMs, headers }: PageResponse): HeadersInit {
  return {
    ...HEADERS,
    ...headers,
    ...(requestId !== undefined && { 'x-request-id': requestId }),
    ...(outcome !== undefined && { [OUTCOME_HEADER]: outcome }),
    ...(retryAfterMs !== undefined && { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }),
  };
}

/** The text of the body; `undefined` for none. */
export function textOf({ body }: PageResponse): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

/** Writes a response. */
export function writeResponse(response: PageResponse): Response {
  const { status } = response;
  const text = HAS_NO_BODY.has(status) ? undefined : textOf(response);
  const headers = new Headers(headersOf(response));
  if (text !== undefined) headers.set('content-type', 'application/json');
  return new Response(text ?? null, { status, headers });
}
