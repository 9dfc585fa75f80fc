import type { Credential } from '../contract/endpoint.js';
import type { ErrorStatus } from './faults.js';
import type { Query } from './query.js';
import type { MockRequest } from './requests.js';
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
