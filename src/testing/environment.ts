import type { Endpoint } from '../contract/endpoint.js';
import type { Query } from './query.js';
import type { MockUser } from './state.js';

/** One of the service's two environments, which have separate users. */
export type Environment = MockUser['environment'];

/** Whether a request has the header that routes it to the US environment. */
const hasUsHeader = (headers: Headers) => headers.get('x-us-env') === 'true';

/** The query `region` routes only the delegation endpoints. */
const hasUsQuery = (endpoint: Endpoint, query: Query) =>
  endpoint.id.startsWith('delegation.') && query.get('region') === 'us';

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
  if (endpoint.routing === 'none' || hasUsQuery(endpoint, query)) return undefined;
  return hasUsHeader(headers) ? 'us' : 'global';
}

/** Returns whether the traffic of a request goes to the US. */
export function isForUs(endpoint: Endpoint, headers: Headers, query: Query): boolean {
  return endpoint.routing !== 'none' && (hasUsHeader(headers) || hasUsQuery(endpoint, query));
}

/** Whether something is in the environment of a request. */
export function isInEnvironment(
  environment: Environment | undefined,
  one: { environment: Environment },
): boolean {
  return environment === undefined || one.environment === environment;
}
