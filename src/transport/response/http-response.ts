import { parseWebUrl } from '../../contract/formats/url.js';
import { SERVICE_DATE_HEADER } from '../../contract/proxy-headers.js';

/** The headers of a response. Names are case-insensitive. */
export type ResponseHeaders = {
  get(name: string): string | null;
  /** A copy, as the platform's own class. */
  toHeaders(): Headers;
};

/** A whole response, its body read. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly text: string;
  /** The body as it is, where the endpoint asks for bytes; `text` is then empty. */
  readonly bytes?: Uint8Array;
};

/** A response with the body that was read. */
export function responseWith(
  status: number,
  headers: ResponseHeaders,
  body: string | Uint8Array,
): HttpResponse {
  return typeof body === 'string'
    ? { status, headers, text: body }
    : { status, headers, text: '', bytes: body };
}

const NAMES = ['x-request-id', 'x-correlation-id', 'x-amzn-trace-id'] as const;
const LONGEST = 200;

/** The id that the service, or a proxy in front of it, assigned to a request; for its support. */
export function requestIdOf(headers: Pick<ResponseHeaders, 'get'>): string | undefined {
  for (const name of NAMES) {
    const id = headers.get(name);
    if (id !== null && /^[\x21-\x7e]+$/.test(id) && id.length <= LONGEST) return id;
  }
  return undefined;
}

const SECONDS = /^\d+$/;

/** The time of an HTTP date; `undefined` for any other text, and for days such as 31 Feb. */
function httpDate(text: string | null): number | undefined {
  const time = Date.parse(text ?? '');
  // `Date.parse` reads 31 Feb as a day in March.
  return Number.isFinite(time) && new Date(time).toUTCString() === text ? time : undefined;
}

/**
 * The wait that a `Retry-After` header asks for, in milliseconds: whole seconds, or an HTTP date
 * measured against the server's own `Date` so that a wrong clock here does no harm. `undefined` for
 * anything else and for the past. A number too long for arithmetic is still a long wait.
 */
export function retryAfterMs(
  headers: Pick<ResponseHeaders, 'get'>,
  now: number,
): number | undefined {
  const value = headers.get('retry-after');
  if (value === null || value.length > 1_000) return undefined;
  if (SECONDS.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const until = httpDate(value);
  if (until === undefined) return undefined;
  const wait = until - (httpDate(headers.get('date')) ?? now);
  return wait > 0 ? wait : undefined;
}

/**
 * The time of a response by the service's own clock, in milliseconds since 1970. `undefined` where
 * the response does not show it: a page sees the `Date` of another origin only if the service exposes
 * it, a cache repeats an old one, and the `Date` of a proxy is that of the proxy.
 */
export function serviceTime(
  headers: Pick<ResponseHeaders, 'get'>,
  isProxied: boolean,
): number | undefined {
  const isFresh = Number(headers.get('age') ?? 0) === 0;
  return isFresh ? httpDate(headers.get(isProxied ? SERVICE_DATE_HEADER : 'date')) : undefined;
}

/**
 * Returns the origin that a redirect leads to, and nothing else of its target, which may contain
 * secrets. `undefined` where it is not an http or https URL.
 *
 * @param location - absolute, or relative to `base`
 */
export function targetOrigin(location: string, base: string): string | undefined {
  if (/[\s\p{Cc}]/u.test(location)) return undefined;
  const own = parseWebUrl(base);
  // `URL` reads a backslash as a slash.
  const absolute = /^[/\\]{2}/.test(location) ? `${own?.scheme}://${location.slice(2)}` : location;
  if (!/^[a-z][a-z\d+.-]*:/i.test(absolute)) return own?.origin;
  const [start = ''] = /^https?:\/\/[^/?#\\]*/i.exec(absolute) ?? [];
  // A user name may precede the host.
  const slashes = start.indexOf('//') + 2;
  const host = start.slice(Math.max(slashes, start.lastIndexOf('@') + 1));
  return parseWebUrl(start.slice(0, slashes) + host)?.origin;
}
