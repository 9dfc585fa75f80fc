import { ENDPOINTS, type EndpointId } from '../contract/endpoints.js';

/** The ids of all endpoints, as `fail`, `drop` and `requests` use them. */
export const ENDPOINT_IDS = ENDPOINTS.map(({ id }) => id as EndpointId);

/** Returns whether a string is the id of an endpoint. */
export function isEndpointId(text: string): text is EndpointId {
  return ENDPOINTS.some(({ id }) => id === text);
}

/** Returns the declaration of an endpoint, if this is its id. */
export function findEndpoint(text: unknown): (typeof ENDPOINTS)[number] | undefined {
  return ENDPOINTS.find(({ id }) => id === text);
}
