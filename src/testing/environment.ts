import type { Endpoint } from '../contract/endpoint.js';
import type { Query } from './query.js';
import type { MockUser } from './state.js';

/** One of the service's two environments, which have separate users. */
export type Environment = MockUser['environment'];

/**
 * Returns the environment that a request is routed to, or `undefined` when it may be either. An
 * endpoint without routing identifies its user by the token alone. The query `region` selects where
 * the traffic of a network goes, not which users it concerns.
 */
export function environmentOf(
  endpoint: Endpoint,
  headers: Headers,
  query: Query,
): Environment | undefined {
  if (endpoint.routing === 'none' || query.get('region') === 'us') return undefined;
  return headers.get('x-us-env') === 'true' ? 'us' : 'global';
}

/** Whether a user is in the environment of a request. */
export function isInEnvironment(environment: Environment | undefined, user: MockUser): boolean {
  return environment === undefined || user.environment === environment;
}
