import type { Endpoint } from '../../contract/endpoint.js';
import { placeholdersIn } from '../../contract/placeholders.js';
import { RECOGNISED_ERRORS } from '../../contract/recognised-errors.js';

/** Returns the statuses of an endpoint that the contract documents, or that follow from it. */
export function documentedStatuses(endpoint: Endpoint): ReadonlySet<number> {
  const { id, responses, errors, businessErrors, credentials, path, sendsBody } = endpoint;
  const isKey = credentials.includes('clientKey') || credentials.includes('clientId');
  const isSilent = !errors.includes(400) && !errors.includes(422);
  return new Set([
    ...Object.keys(responses).map(Number),
    ...errors,
    ...(credentials.includes('accessToken') ? [401, 403] : []),
    ...(isKey ? [498, 499] : []),
    // Where the contract shows no status for a refusal or an invalid input, it may be either.
    ...(isSilent && (sendsBody || businessErrors.length > 0) ? [400, 422] : []),
    ...(placeholdersIn(path).length > 0 ? [404] : []),
    ...RECOGNISED_ERRORS.filter(
      ({ endpoints }) => endpoints !== '*' && endpoints.some((one) => one === id),
    ).flatMap(({ statuses }) => statuses),
  ]);
}
