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

/** The response for an error: its code, and whether anything was done. */
export type ErrorResponse = {
  status: ContentfulStatusCode;
  headers: Record<string, string>;
  body: { error: string; outcome: Outcome; message: string };
};

const MESSAGES: Record<Outcome, string> = {
  not_sent: 'Nothing was done. Please try again.',
  rejected: 'This was refused. Nothing was done.',
  unknown: 'This may have been done. Please check before you try again.',
  executed: 'This was done, but we cannot show the result.',
};

/** Statuses that concern the user and have the same meaning here as at the service. */
const FORWARDED_STATUSES = [400, 401, 403, 404, 409, 422, 429] as const;

/**
 * Returns an HTTP response that reports the outcome of an error. 4xx means that nothing was done,
 * 503 that nothing was sent, 504 that the outcome is unknown, and 502 that it was done.
 */
export function errorResponseFor(error: CardPlatformError): ErrorResponse {
  const { code, outcome } = error;
  const headers: Record<string, string> = {};
  if (error instanceof RateLimitError && error.retryAfterMs !== undefined) {
    headers['retry-after'] = String(Math.ceil(error.retryAfterMs / 1000));
  }
  const status = statusOf(error);
  const body = { error: status === 500 ? 'internal' : code, outcome, message: MESSAGES[outcome] };
  return { status, headers, body };
}

function statusOf(error: CardPlatformError): ContentfulStatusCode {
  if (error.outcome === 'unknown') return 504;
  if (error.outcome === 'executed') return 502;
  if (error instanceof RequestValidationError) return 422;
  // Our keys are wrong. The user cannot fix that.
  if (error instanceof InvalidClientKeyError || error instanceof MissingClientKeyError) return 500;
  if (error instanceof ConfigurationError) return 500;
  if (error.outcome === 'not_sent') return 503;
  const status = isApiError(error) ? error.status : 409;
  return FORWARDED_STATUSES.find((known) => known === status) ?? 502;
}
