import { completeEndpoint } from '../contract/define-endpoint.js';
import type { Endpoint } from '../contract/endpoint.js';
import { requireCredentials } from './endpoint-credentials.js';
import { requireKnownOptions, requireOneOf } from './known-options.js';
import { countPlaceholders, matchPath, type PathPattern, toPathPattern } from './path-pattern.js';
import type { EndpointCall, RouteMethod, RouteOptions, RouteResponse } from './route-types.js';
import type { KnownRoute, Route } from './routing.js';

/** The handler of a route, whatever its types. */
export type RouteHandler = (
  call: EndpointCall<Record<string, unknown>>,
) => RouteResponse | Promise<RouteResponse>;

/** A route that a test serves. */
export type OwnRoute = {
  endpoint: Endpoint;
  handler: RouteHandler;
  /** Whether it is an endpoint, and not a path alone. */
  isDeclared: boolean;
  /** Whether credentials are checked. */
  needsCredentials: boolean;
};

type Served = OwnRoute & { pattern: PathPattern };

/** The methods of {@link RouteMethod}. */
export const METHODS: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** A path template below the base URL. Every segment is literal, or one placeholder. */
const PATH = /^(?:\/(?:[^/{}:?#\s][^/{}?#\s]*|\{\w+\}))+$/;

function requirePath(path: unknown): string {
  if (typeof path === 'string' && PATH.test(path)) return path;
  throw new TypeError(
    'serve: path must be a path below the base URL, with placeholders in braces: /v1/limits/{id}',
  );
}

/** The schema of a route by path, which has no declaration. */
const NO_SCHEMA = {
  '~standard': { version: 1, vendor: 'mock', validate: (value: unknown) => ({ value }) },
} as const;

/** Returns a route by method and path as an endpoint without credentials. */
export function routeOf(method: unknown, path: unknown): Endpoint {
  const checkedMethod = requireOneOf('serve: method', method, METHODS);
  const checkedPath = requirePath(path);
  return completeEndpoint({
    id: `${checkedMethod} ${checkedPath}`,
    method: checkedMethod,
    path: checkedPath,
    credentials: [],
    // Any environment: the token alone identifies the user.
    routing: 'none',
    retry: 'never',
    input: NO_SCHEMA,
    sendsBody: true,
  });
}

/** Checks that a value is an endpoint. */
export function requireEndpoint(endpoint: unknown): Endpoint {
  const { id, method, path, credentials } = Object(endpoint) as Partial<Endpoint>;
  if (typeof id !== 'string' || id === '' || !Array.isArray(credentials)) {
    throw new TypeError('serve: pass a method and a path, or an endpoint of `defineEndpoint`');
  }
  requireOneOf('serve: method', method, METHODS);
  requirePath(path);
  return endpoint as Endpoint;
}

/** The routes that a test serves on a platform. */
export class ServedRoutes {
  #served: readonly Served[] = [];

  /** Adds a route. It takes precedence over an older one of the same path. */
  add(endpoint: Endpoint, handler: unknown, options: RouteOptions): () => void {
    requireKnownOptions('serve', options, ['credentials']);
    if (typeof handler !== 'function') throw new TypeError('serve: handler must be a function');
    const { credentials: given } = options;
    const isDeclared = endpoint.input !== NO_SCHEMA;
    const credentials =
      given === undefined ? endpoint.credentials : requireCredentials('serve: credentials', given);
    const added: Served = {
      endpoint: { ...endpoint, credentials },
      isDeclared,
      needsCredentials: isDeclared || given !== undefined,
      pattern: toPathPattern(endpoint.path),
      // Its types are those of the overload that was called.
      handler: handler as RouteHandler,
    };
    // The sort is stable: of equally specific routes, the newest comes first.
    this.#served = [added, ...this.#served].sort(
      (one, other) => countPlaceholders(one.pattern) - countPlaceholders(other.pattern),
    );
    return () => {
      this.#served = this.#served.filter((one) => one !== added);
    };
  }

  /** Returns the route of a request, or `undefined` when none matches. */
  find(method: string, pathname: string): (Route & OwnRoute) | undefined {
    for (const { pattern, ...route } of this.#served) {
      if (route.endpoint.method !== method) continue;
      const params = matchPath(pattern, pathname);
      if (params !== undefined) return { ...route, params };
    }
    return undefined;
  }

  /** The routes, for the hint of an unknown request. */
  get known(): readonly KnownRoute[] {
    return this.#served.map(({ endpoint }) => endpoint);
  }

  /** Removes all routes. */
  clear(): void {
    this.#served = [];
  }
}
