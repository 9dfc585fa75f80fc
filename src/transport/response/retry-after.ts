import type { ResponseHeaders } from './http-response.js';

const SECONDS = /^\d+$/;
const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The time of an HTTP date; `undefined` for any other text, and for days such as 31 Feb. */
function httpDate(text: string): number | undefined {
  if (!DATE.test(text)) return undefined;
  const time = Date.parse(text);
  // `Date.parse` reads 31 Feb as a day in March.
  return new Date(time).getUTCDate() === Number(text.slice(5, 7)) ? time : undefined;
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
  const wait = until - (httpDate(headers.get('date') ?? '') ?? now);
  return wait > 0 ? wait : undefined;
}
