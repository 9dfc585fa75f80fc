import type { ResponseHeaders } from './http-response.js';

/** The header in which a proxy of `card-platform-sdk/server` passes on the `Date` of the service. */
export const SERVICE_DATE_HEADER = 'x-card-platform-date';

/**
 * The time of a response by the service's own clock, in milliseconds since 1970. `undefined` where
 * the response does not show it: a page sees the `Date` of another origin only if the service exposes
 * it, a cache repeats an old one, and the `Date` of a proxy is that of the proxy.
 */
export function serviceTime(
  headers: Pick<ResponseHeaders, 'get'>,
  isProxied: boolean,
): number | undefined {
  const text = headers.get(isProxied ? SERVICE_DATE_HEADER : 'date') ?? '';
  const time = Date.parse(text);
  const isFresh = Number(headers.get('age') ?? 0) === 0;
  return isFresh && Number.isFinite(time) && new Date(time).toUTCString() === text
    ? time
    : undefined;
}
