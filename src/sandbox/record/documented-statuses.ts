import type { Endpoint } from '../../contract/endpoint.js';
import { errorStatusesOf, REFUSED_CREDENTIAL } from '../../contract/error-statuses.js';

/** Returns the statuses of an endpoint that the contract documents, or that follow from it. */
export function documentedStatuses(endpoint: Endpoint): ReadonlySet<number> {
  const { responses, errors, businessErrors, credentials } = endpoint;
  const isSilent = !errors.includes(400) && !errors.includes(422);
  return new Set([
    ...Object.keys(responses).map(Number),
    ...errorStatusesOf(endpoint),
    ...credentials.flatMap((name) => REFUSED_CREDENTIAL[name]),
    // Where the contract shows no status for a refusal, it may be either.
    ...(isSilent && businessErrors.length > 0 ? [400, 422] : []),
  ]);
}
