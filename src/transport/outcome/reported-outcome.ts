import type { Outcome } from '../../errors/index.js';
import type { ResponseHeaders } from '../response/http-response.js';

/** The header in which a proxy of `card-platform-sdk/server` reports the outcome of a failed call. */
export const OUTCOME_HEADER = 'x-card-platform-outcome';

const OUTCOMES: readonly Outcome[] = ['not_sent', 'rejected', 'unknown', 'executed'];

/**
 * The outcome that a proxy reports. Only a client with `throughProxy` reads it, and never retries
 * because of it. Whoever can forge the header can also forge a refusal, which tells a person the
 * same, and nothing is sent twice without a person.
 */
export function reportedOutcome(headers: Pick<ResponseHeaders, 'get'>): Outcome | undefined {
  const reported = headers.get(OUTCOME_HEADER);
  return OUTCOMES.find((outcome) => outcome === reported);
}
