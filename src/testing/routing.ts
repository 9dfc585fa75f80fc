import type { Endpoint } from '../contract/endpoint.js';
import { ENDPOINTS } from '../contract/endpoints.js';
import { decode } from './query.js';

/** The segments of a path template such as `/v1/webhooks/{id}`. */
export type PathPattern = readonly string[];

const isPlaceholder = (segment: string) => segment.startsWith('{');

/** Splits a path template into segments. */
export function toPathPattern(path: string): PathPattern {
  return path.slice(1).split('/');
}

/** Returns the number of placeholders: a pattern with fewer is more specific, and comes first. */
export function countPlaceholders(pattern: PathPattern): number {
  return pattern.filter(isPlaceholder).length;
}

/** Returns the values of the placeholders, or `undefined` when the path does not match. */
export function matchPath(
  pattern: PathPattern,
  pathname: string,
): Record<string, string> | undefined {
  const given = pathname.slice(1).split('/');
  if (pattern.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = given[index] ?? '';
    if (isPlaceholder(segment)) params[segment.slice(1, -1)] = decode(value);
    else if (segment !== value) return undefined;
  }
  return params;
}

/** The endpoint of a request and the values of its path parameters. */
export type Route = { endpoint: Endpoint; params: Readonly<Record<string, string>> };

// Patterns with fewer placeholders first, so that a literal segment takes precedence.
const PATTERNS = ENDPOINTS.map((endpoint) => ({
  endpoint: endpoint as Endpoint,
  pattern: toPathPattern(endpoint.path),
})).sort((one, other) => countPlaceholders(one.pattern) - countPlaceholders(other.pattern));

/** Returns the endpoint of a request, or `undefined` when there is none. */
export function findRoute(method: string, pathname: string): Route | undefined {
  for (const { endpoint, pattern } of PATTERNS) {
    if (endpoint.method !== method) continue;
    const params = matchPath(pattern, pathname);
    if (params !== undefined) return { endpoint, params };
  }
  return undefined;
}

/** An endpoint, or a route that a test serves, for the hint of an unknown request. */
export type KnownRoute = Pick<Endpoint, 'id' | 'method' | 'path'>;

/** Returns the length of the common prefix of two strings. */
function commonPrefixLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

function similarity(known: KnownRoute, method: string, pathname: string): number {
  const requested = pathname.split('/');
  const shared = known.path.split('/').filter((segment) => requested.includes(segment)).length;
  const start = commonPrefixLength(known.path, pathname) / 100;
  return shared * 2 + (known.method === method ? 1 : 0) + start;
}

/** Returns the endpoint or served route most similar to an unknown request. */
export function nearestRoute(
  method: string,
  pathname: string,
  served: readonly KnownRoute[],
): KnownRoute | undefined {
  const bySimilarity = [...served, ...ENDPOINTS].sort(
    (one, other) => similarity(other, method, pathname) - similarity(one, method, pathname),
  );
  return bySimilarity[0];
}
