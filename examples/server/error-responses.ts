import {
  type CardPlatformError,
  ConfigurationError,
  InvalidClientKeyError,
  isApiError,
  MissingClientKeyError,
  type Outcome,
  RateLimitError,
  RequestValidationError,
} from 'card-platform-sdk';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** What a page is told of an error: its code, and whether anything was done. */
export type Refusal = {
  status: ContentfulStatusCode;
  headers: Record<string, string>;
  body: { error: string; outcome: Outcome; message: string };
};

const WORDS: Record<Outcome, string> = {
  not_sent: 'Nothing was done. Please try again.',
  rejected: 'This was refused. Nothing was done.',
  unknown: 'This may have been done. Please look before you try again.',
  executed: 'This was done, but we cannot show the result.',
};

/** Refusals that are about the user, and mean in HTTP what they meant at the service. */
const PASSED_ON = [400, 401, 403, 404, 409, 422, 429] as const;

/**
 * An error as an honest HTTP answer: a page that sees 4xx knows that nothing was done, 503 that
 * nothing was sent, 504 that nobody knows, and 502 that it was done.
 */
export function refusalOf(error: CardPlatformError): Refusal {
  const { code, outcome } = error;
  const headers: Record<string, string> = {};
  if (error instanceof RateLimitError && error.retryAfterMs !== undefined) {
    headers['retry-after'] = String(Math.ceil(error.retryAfterMs / 1000));
  }
  const status = statusOf(error);
  const body = { error: status === 500 ? 'internal' : code, outcome, message: WORDS[outcome] };
  return { status, headers, body };
}

function statusOf(error: CardPlatformError): ContentfulStatusCode {
  if (error.outcome === 'unknown') return 504;
  if (error.outcome === 'executed') return 502;
  if (error instanceof RequestValidationError) return 422;
  // Ours to mend: the user can do nothing about our keys.
  if (error instanceof InvalidClientKeyError || error instanceof MissingClientKeyError) return 500;
  if (error instanceof ConfigurationError) return 500;
  if (error.outcome === 'not_sent') return 503;
  const status = isApiError(error) ? error.status : 409;
  return PASSED_ON.find((known) => known === status) ?? 502;
}
