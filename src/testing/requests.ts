import type { EndpointId } from '../contract/endpoints.js';

/** A request that came to the platform. Secrets are in it: it is for assertions, not for logs. */
export type MockRequest = {
  /** Endpoint id; `undefined` for a request that no endpoint takes. */
  operation: EndpointId | undefined;
  method: string;
  /** Path with values, and query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Parsed JSON; `undefined` when there was none. */
  body: unknown;
  /** What was answered; `undefined` when the connection broke. */
  status: number | undefined;
};

/**
 * What a request has to be. What is left out is not looked at: of headers and of objects in the body
 * (in the service's spelling) only the keys that are named here, of an array every element.
 */
export type RequestPattern = {
  operation?: EndpointId;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query: the whole of it, or a pattern. */
  path?: string | RegExp;
  /** Header names in lower case. */
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** `undefined`: the connection broke. */
  status?: number | undefined;
};

/**
 * The requests that came, oldest first: an array with three questions that tests ask.
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
  /** The newest; `undefined` before the first. */
  readonly last: MockRequest | undefined;
  /**
   * Those that match, oldest first.
   *
   * @example
   * ```ts
   * mock.requests.matching({ operation: 'card.freeze', status: 400 }).length;
   * ```
   */
  matching(pattern: RequestPattern): MockRequest[];
  /**
   * The one that matches.
   *
   * @throws Error when none or several do; it lists what came, without headers and bodies
   *
   * @example
   * ```ts
   * const { body } = mock.requests.only({ operation: 'wallets.credit.withdraw' });
   * console.log(body);
   * ```
   */
  only(pattern: RequestPattern): MockRequest;
}

/** The requests that a platform writes down. */
export class RequestLog extends Array<MockRequest> implements MockRequests {
  // What `map` and `filter` give is a plain array.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  get last(): MockRequest | undefined {
    return this.at(-1);
  }

  matching(pattern: RequestPattern): MockRequest[] {
    return this.filter((request) => matches(request, pattern));
  }

  only(pattern: RequestPattern): MockRequest {
    const [found, another] = this.matching(pattern);
    if (found !== undefined && another === undefined) return found;
    const many = found === undefined ? 'no request matches' : 'several requests match';
    const came = this.map(({ method, operation, status }) =>
      [operation ?? method, status ?? 'broken'].join(' '),
    );
    throw new Error(`${many}; there came: ${came.join(', ') || 'none'}`);
  }
}

function matches(request: MockRequest, pattern: RequestPattern): boolean {
  const { path, ...rest } = pattern;
  const isPath = path instanceof RegExp ? path.test(request.path) : covers(path, request.path);
  const isStatus = !('status' in pattern) || pattern.status === request.status;
  return isPath && isStatus && covers(rest, request);
}

/** Whether a value has everything that is expected of it. */
function covers(expected: unknown, actual: unknown): boolean {
  if (expected === undefined) return true;
  if (typeof expected !== 'object' || expected === null) return Object.is(expected, actual);
  if (typeof actual !== 'object' || actual === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(actual) || actual.length !== expected.length))
    return false;
  return Object.entries(expected).every(([key, value]) => covers(value, Reflect.get(actual, key)));
}
