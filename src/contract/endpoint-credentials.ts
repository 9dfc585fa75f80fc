import type { Credential } from './endpoint.js';
import type { EndpointId } from './endpoints.js';

/** The credentials that individual endpoints take, by endpoint id. */
export type EndpointCredentials = {
  readonly [Id in EndpointId]?: readonly Credential[] | undefined;
};
