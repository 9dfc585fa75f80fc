import { ENDPOINTS, type EndpointId } from '../contract/endpoints.js';

/** The ids of all endpoints: what `fail`, `drop` and `requests` go by. */
export const ENDPOINT_IDS = ENDPOINTS.map(({ id }) => id as EndpointId);

/** Whether a text is the id of an endpoint. */
export function isEndpointId(text: string): text is EndpointId {
  return ENDPOINTS.some(({ id }) => id === text);
}
