/** How long to wait between attempts, in milliseconds. */
export type BackoffOptions = { baseDelay: number; maxDelay: number; maxRetryAfter: number };

/** Exponential back-off with full jitter: anything from 0 to the doubled delay, capped. */
export function backoffDelay(retry: number, options: BackoffOptions, random: () => number): number {
  return random() * Math.min(options.maxDelay, options.baseDelay * 2 ** (retry - 1));
}
