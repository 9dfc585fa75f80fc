import type { Endpoint } from '../contract/endpoint.js';
import type { MockUser } from './state.js';

/** Which of the service's two sets of users a request is about. */
export type Environment = MockUser['environment'];

/**
 * The environment that a request is routed to; `undefined` where it may be either: an endpoint that
 * takes no routing knows its user by the token alone, and the query `region` says where the traffic
 * of a network goes, not whose it is.
 */
export function environmentOf(
  endpoint: Endpoint,
  headers: Headers,
  query: URLSearchParams,
): Environment | undefined {
  if (endpoint.routing === 'none' || query.get('region') === 'us') return undefined;
  return headers.get('x-us-env') === 'true' ? 'us' : 'global';
}

/** Whether a user is in the environment of a request. */
export function isIn(environment: Environment | undefined, user: MockUser): boolean {
  return environment === undefined || user.environment === environment;
}
