import { completeEndpoint } from '../contract/define-endpoint.js';
import type { Credential, Endpoint } from '../contract/endpoint.js';
import { requireKnownOptions, requireOneOf } from './check-options.js';
import { requireCredentials } from './credentials.js';
import type { ErrorStatus } from './faults.js';
import type { Query } from './query.js';
import type { MockRequest } from './requests.js';
import {
  countPlaceholders,
  type KnownRoute,
  matchPath,
  type PathPattern,
  type Route,
  toPathPattern,
} from './routing.js';
import type { MockUser } from './state.js';

/** The HTTP methods of a route. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The names of the placeholders in a path template. */
export type PathParam<Path extends string> = string extends Path
  ? string
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | PathParam<Rest>
    : never;

/** A request to a route of your own. */
export type RouteCall<Param extends string = string> = {
  /** Values of the placeholders in the path. */
  readonly params: Readonly<Record<Param, string>>;
  /** `query.get(name)` returns the first value of a query field, `null` where there is none. */
  readonly query: Query;
  /** Parsed JSON; other text unchanged; `undefined` for an empty body. */
  readonly body: unknown;
  readonly headers: Headers;
  /** The request as `mock.requests` lists it. */
  readonly request: MockRequest;
  /** The user of the access token; `undefined` without a valid one. */
  readonly user: MockUser | undefined;
  /** Name of the tenant that the credentials belong to. */
  readonly tenant: string;
};

/** A request to a route of your own that is declared as an endpoint. */
export type EndpointCall<Input> = RouteCall & {
  /** Path, query and body together, under the names of the declaration, as they were sent. */
  readonly input: Input;
};

/**
 * The response of a route: status, JSON body and headers, or a `Response`, which is sent unchanged.
 */
export type RouteResponse =
  | Response
  | {
      /** Default 200. */
      status?: number | undefined;
      /** JSON; a string or a `Uint8Array` is sent unchanged. Default: an empty body. */
      body?: unknown;
      headers?: Readonly<Record<string, string>> | undefined;
    };

/** A success body: it may be left out where the result may be `undefined`. */
type SuccessBody<Output> = undefined extends Output ? { body?: Output } : { body: Output };

/**
 * The response of the route of an endpoint: its result, an error status, or a `Response`, which is
 * sent unchanged. Return a `Response` where the service's body differs from the result of the
 * endpoint.
 */
export type EndpointResponse<Output> =
  | Response
  | (SuccessBody<Output> & {
      /** Default 200. */
      status?: 200 | 201 | 202 | 203 | 204 | 206 | undefined;
      headers?: Readonly<Record<string, string>> | undefined;
    })
  | {
      status: ErrorStatus;
      /** Default: the body that the contract documents for the status. */
      body?: unknown;
      headers?: Readonly<Record<string, string>> | undefined;
    };

/** Options of a route. */
export type RouteOptions = {
  /**
   * Credentials that a request must have. Without them, it gets the error response of the contract.
   * Default: those of the endpoint, and none for a path.
   */
  credentials?: readonly Credential[] | undefined;
};

/** A route of your own. Pass it to `fail`, `drop`, `hold` and `setLatency`. */
export type ServedRoute = {
  /** Id of the endpoint, or method and path: `GET /v1/limits`. */
  readonly id: string;
  /** Ends the route. */
  remove(): void;
};

/** A value, or a promise of it. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** The handler of a route, whatever its types. */
type RouteHandler = (
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
