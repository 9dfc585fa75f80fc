/** How long to wait between attempts. */
export type BackoffOptions = { baseDelay: number; maxDelay: number; maxRetryAfter: number };

/** Exponential back-off with full jitter: anything from 0 to the doubled delay, capped. */
export function backoffDelay(retry: number, options: BackoffOptions, random: () => number): number {
  return random() * Math.min(options.maxDelay, options.baseDelay * 2 ** (retry - 1));
}

const SECONDS = /^\d{1,9}$/;
const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * The wait that a `Retry-After` header asks for, in milliseconds: whole seconds, or an HTTP date
 * measured against the server's own `Date` so that a wrong clock here does no harm. Gives
 * `undefined` for anything else and for the past.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (SECONDS.test(value)) return Number(value) * 1000;
  if (!DATE.test(value)) return undefined;
  const serverDate = headers.get('date') ?? '';
  const reference = DATE.test(serverDate) ? Date.parse(serverDate) : now;
  const wait = Date.parse(value) - reference;
  return wait > 0 ? wait : undefined;
}
