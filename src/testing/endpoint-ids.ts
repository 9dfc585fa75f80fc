import { ENDPOINTS } from '../contract/endpoints.js';

/** The ids of all endpoints, as `fail`, `drop` and `requests` use them. */
export const ENDPOINT_IDS = ENDPOINTS.map(({ id }) => id);

/** Returns the endpoint with this id, if there is one. */
export function findEndpoint(text: unknown): (typeof ENDPOINTS)[number] | undefined {
  return ENDPOINTS.find(({ id }) => id === text);
}
