import type { Outcome } from '../../errors/index.js';
import { outcomeIn } from '../response/error-report.js';
import type { ResponseHeaders } from '../response/http-response.js';

/** The header in which a proxy of `card-platform-sdk/server` reports the outcome of a failed call. */
export const OUTCOME_HEADER = 'x-card-platform-outcome';

/**
 * The outcome that a proxy reports. Only a client with `throughProxy` reads it, and never retries
 * because of it. A forged header adds no risk: whoever can forge it can also forge a refusal, which looks
 * the same to the user, and only the user could then send the request again.
 */
export function reportedOutcome(headers: Pick<ResponseHeaders, 'get'>): Outcome | undefined {
  return outcomeIn(headers.get(OUTCOME_HEADER));
}
