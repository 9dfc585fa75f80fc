import { ENDPOINTS } from '../contract/endpoints.js';
import { observedEndpoints } from '../contract/observed/endpoints.js';

/** The ids of all endpoints, as `fail`, `drop` and `requests` use them. */
export const ENDPOINT_IDS = ENDPOINTS.map(({ id }) => id);

/** Returns the endpoint with this id, if there is one. */
export function findEndpoint(text: unknown): (typeof ENDPOINTS)[number] | undefined {
  return ENDPOINTS.find(({ id }) => id === text);
}

/** Id of a call that was observed beyond the contract: `auth.oauth.refresh`. */
export type ObservedId = keyof typeof observedEndpoints | 'auth.oauth2.authorizeUrl';

/**
 * The ids of the calls that deployed clients make beyond the contract. The platform responds to
 * them when it is created with `observed: true`.
 */
export const OBSERVED_IDS: readonly ObservedId[] = [
  ...(Object.keys(observedEndpoints) as ObservedId[]),
  // A page that a browser opens.
  'auth.oauth2.authorizeUrl',
];
