import type { Credential } from './endpoint.js';
import type { EndpointId } from './endpoints.js';

/** The credentials that single endpoints take, by the id of the endpoint. */
export type EndpointCredentials = {
  readonly [Id in EndpointId]?: readonly Credential[] | undefined;
};
