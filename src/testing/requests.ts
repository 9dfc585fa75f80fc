import type { EndpointId } from '../contract/endpoints.js';
import { nearestName } from '../contract/formats/nearest-name.js';
import { requireKnownOptions } from './check-options.js';
import { ENDPOINT_IDS, OBSERVED_IDS, type ObservedId } from './endpoint-ids.js';

/** A request that the platform received. It contains secrets: use it in assertions, not in logs. */
export type MockRequest = {
  /** Id of the endpoint or of the route that you serve; `undefined` for an unknown endpoint. */
  operation: EndpointId | (string & {}) | undefined;
  method: string;
  /** Path with its values, and query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON; other text unchanged; `undefined` for an empty body. */
  body: unknown;
  /**
   * Id of the user: the user of the access token, even if its session has ended, or the user in the
   * input of an endpoint that needs no token.
   */
  userId: string | undefined;
  /** Status of the response; `undefined` while there is none, and when the connection broke. */
  status: number | undefined;
};

/**
 * Properties that a request must have. Omitted properties are ignored. Headers and objects in the
 * body (in the service's spelling) may have further keys; arrays must match in every element.
 */
export type RequestPattern = {
  /** An endpoint id, or an endpoint or a route of your own. */
  operation?: EndpointId | ObservedId | { readonly id: string };
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query: the complete string, or a pattern. */
  path?: string | RegExp;
  /** Header names in lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** Id of the user whose request it is. */
  userId?: string;
  /** `undefined`: there was no response. */
  status?: number | undefined;
};

/**
 * The received requests, oldest first: an array with three ways to search it.
 *
 * @example
 * ```ts
 * import { createMockPlatform } from 'card-platform-sdk/testing';
 *
 * const mock = createMockPlatform();
 * mock.requests.matching({ operation: 'card.freeze', status: 200 }).length; // 0
 * mock.requests.last; // undefined
 * ```
 */
export interface MockRequests extends ReadonlyArray<MockRequest> {
  /** The newest request; `undefined` before the first. */
  readonly last: MockRequest | undefined;
  /**
   * Returns the requests that match, oldest first.
   *
   * @throws TypeError for an unknown property of the pattern, or an operation that does not exist
   *
   * @example
   * ```ts
   * mock.requests.matching({ operation: 'card.freeze', status: 400 }).length;
   * ```
   */
  matching(pattern: RequestPattern): MockRequest[];
  /**
   * Returns the only request that matches.
   *
   * @throws Error when none or several match; it lists all requests, without headers and bodies
   * @throws TypeError for an unknown property of the pattern, or an operation that does not exist
   *
   * @example
   * ```ts
   * const { body } = mock.requests.only({ operation: 'wallets.credit.withdraw' });
   * console.log(body);
   * ```
   */
  only(pattern: RequestPattern): MockRequest;
}

/** The requests that a platform has received. */
export class RequestLog extends Array<MockRequest> implements MockRequests {
  // `map` and `filter` return a plain array.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  get last(): MockRequest | undefined {
    return this.at(-1);
  }

  matching(pattern: RequestPattern): MockRequest[] {
    requireKnownOptions('requests.matching', pattern, PATTERN_KEYS);
    requireOperation(pattern.operation, this);
    return this.filter((request) => matches(request, pattern));
  }

  only(pattern: RequestPattern): MockRequest {
    const [found, another] = this.matching(pattern);
    if (found !== undefined && another === undefined) return found;
    const problem = found === undefined ? 'no request matches' : 'several requests match';
    const received = this.map(({ method, operation, status }) =>
      [operation ?? method, status ?? 'without a response'].join(' '),
    );
    throw new Error(`${problem}; received: ${received.join(', ') || 'none'}`);
  }
}

const PATTERN_KEYS = ['operation', 'method', 'path', 'headers', 'body', 'userId', 'status'];

/** Refuses an id that no request can ever have: a mistyped one would match nothing, silently. */
function requireOperation(target: RequestPattern['operation'], received: readonly MockRequest[]) {
  if (target === undefined || typeof target === 'object') return;
  const known: readonly string[] = [...ENDPOINT_IDS, ...OBSERVED_IDS];
  if (known.includes(target) || received.some(({ operation }) => operation === target)) return;
  throw new TypeError(
    `requests.matching: "${target}" is not an endpoint id. The nearest is "${nearestName(target, known)}"`,
  );
}

function matches(request: MockRequest, pattern: RequestPattern): boolean {
  const { path, operation: target, ...rest } = pattern;
  const operation = typeof target === 'object' ? target.id : target;
  // `search` and not `test`, which continues where the last match of a global pattern ended.
  const isPath =
    path instanceof RegExp
      ? request.path.search(path) !== -1
      : includesExpected(path, request.path);
  const isStatus = !('status' in pattern) || pattern.status === request.status;
  return isPath && isStatus && includesExpected({ ...rest, operation }, request);
}

/** Returns whether a value contains everything that is expected of it. */
function includesExpected(expected: unknown, actual: unknown): boolean {
  if (expected === undefined) return true;
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length))
    return false;
  return Object.entries(expected).every(([key, value]) =>
    includesExpected(value, Reflect.get(actual, key)),
  );
}
