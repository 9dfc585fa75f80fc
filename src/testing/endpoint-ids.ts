import { ENDPOINTS } from '../contract/endpoints.js';

/** The ids of all endpoints: what `fail`, `drop` and `requests` go by. */
export const ENDPOINT_IDS: readonly string[] = ENDPOINTS.map(({ id }) => id);
