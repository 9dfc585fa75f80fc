import type { Endpoint } from '../contract/endpoint.js';
import { ENDPOINTS } from '../contract/endpoints.js';

/** The endpoint of a request and the values of its path parameters. */
export type Route = { endpoint: Endpoint; params: Readonly<Record<string, string>> };

type Pattern = { endpoint: Endpoint; segments: readonly string[] };

const isPlaceholder = (segment: string) => segment.startsWith('{');

// Patterns with fewer placeholders first: `/v1/order/products/available` before
// `/v1/order/{orderId}/…`.
const PATTERNS: readonly Pattern[] = ENDPOINTS.map((endpoint) => ({
  endpoint,
  segments: endpoint.path.slice(1).split('/'),
})).sort(
  (one, other) =>
    one.segments.filter(isPlaceholder).length - other.segments.filter(isPlaceholder).length,
);

function matchSegments(pattern: Pattern, given: readonly string[]) {
  if (pattern.segments.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.segments.entries()) {
    const value = given[index] ?? '';
    if (isPlaceholder(segment)) params[segment.slice(1, -1)] = decodeURIComponent(value);
    else if (segment !== value) return undefined;
  }
  return params;
}

/** Returns the endpoint of a request, or `undefined` when there is none. */
export function findRoute(method: string, pathname: string): Route | undefined {
  const given = pathname.slice(1).split('/');
  for (const pattern of PATTERNS) {
    if (pattern.endpoint.method !== method) continue;
    const params = matchSegments(pattern, given);
    if (params !== undefined) return { endpoint: pattern.endpoint, params };
  }
  return undefined;
}

/** Returns the length of the common prefix of two strings. */
function commonPrefixLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function similarity(endpoint: Endpoint, method: string, pathname: string): number {
  const requested = pathname.split('/');
  const shared = endpoint.path.split('/').filter((segment) => requested.includes(segment)).length;
  const start = commonPrefixLength(endpoint.path, pathname) / 100;
  return shared * 2 + (endpoint.method === method ? 1 : 0) + start;
}

/** Returns the endpoint most similar to an unknown request, for the error message. */
export function nearestEndpoint(method: string, pathname: string): Endpoint | undefined {
  const bySimilarity = [...ENDPOINTS].sort(
    (one, other) => similarity(other, method, pathname) - similarity(one, method, pathname),
  );
  return bySimilarity[0];
}
