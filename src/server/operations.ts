import type { Endpoint } from '../contract/endpoint.js';
import { ENDPOINTS, type EndpointId } from '../contract/endpoints.js';
import { ConfigurationError } from '../errors/index.js';
import { findEndpoint } from '../transport/declare/find-endpoint.js';
import { HANDLED_BY_BROWSERS } from './error-response.js';

/**
 * The operations of the contract that a proxy allows by default: those whose declaration has
 * `pageAccess: 'allowed'`. They read the user's own data or act on the user's own card, wallets and
 * delegations, with the user's session. Logins, consents, orders and webhooks are not among them.
 *
 * @example
 * ```ts
 * import { CardPlatformClient } from 'card-platform-sdk';
 * import { createCardProxy, DEFAULT_OPERATIONS } from 'card-platform-sdk/server';
 *
 * const proxy = createCardProxy({
 *   client: new CardPlatformClient({ baseUrl: 'https://api.example.com', clientKey: 'a key' }),
 *   session: () => undefined,
 *   allow: [...DEFAULT_OPERATIONS, 'orders.listProducts'],
 * });
 * ```
 */
export const DEFAULT_OPERATIONS: readonly EndpointId[] = Object.freeze(
  // Every id of the contract is an `EndpointId`.
  ENDPOINTS.filter(({ pageAccess }) => pageAccess === 'allowed').map(({ id }) => id as EndpointId),
);

/** The endpoints of the contract that no proxy opens. */
const CLOSED = ENDPOINTS.filter(({ pageAccess }) => pageAccess === 'never');

const countPlaceholders = ({ path }: Endpoint) => path.split('{').length;

function refuse(option: 'allow' | 'endpoints', rule: string): never {
  throw new ConfigurationError(option, `${option} ${rule}.`);
}

/** What keeps a proxy from passing on the calls of an endpoint; `undefined` if nothing does. */
function obstacleIn(endpoint: Endpoint): string | undefined {
  const { response = 'json', bodyEncoding = 'json', headerFields = {}, resultWhen = {} } = endpoint;
  const { method, path } = endpoint;
  if (response !== 'json') return 'its response is not JSON';
  if (bodyEncoding !== 'json') return 'its body is a form';
  if (Object.keys(headerFields).length > 0) return 'it sends headers of its input';
  const handled = Object.keys(resultWhen).find((status) => HANDLED_BY_BROWSERS.has(Number(status)));
  if (handled !== undefined) return `a browser may act by itself on ${handled}`;
  const closed = findEndpoint(CLOSED, method, path, {});
  return closed && `it can reach ${closed.id}, whose response has a secret`;
}

function requireEndpoints(given: unknown): readonly Endpoint[] {
  if (given === undefined) return [];
  const isOutsideContract = (one: unknown): one is Endpoint =>
    Object(one).isOutsideContract === true;
  if (!Array.isArray(given) || !given.every(isOutsideContract)) {
    return refuse('endpoints', 'must be an array of endpoints of defineEndpoint');
  }
  const ids = new Set(ENDPOINTS.map(({ id }) => id));
  for (const endpoint of given) {
    if (ids.has(endpoint.id))
      refuse('endpoints', `has ${endpoint.id} twice, or the contract has it`);
    ids.add(endpoint.id);
    const obstacle = obstacleIn(endpoint);
    if (obstacle !== undefined) refuse('endpoints', `must not have ${endpoint.id}: ${obstacle}`);
  }
  return [...given];
}

/**
 * Returns the endpoints that a page may call, as each declaration says. `allow` replaces the
 * default, but never opens an endpoint whose `pageAccess` is `never`. An endpoint that nobody
 * decided about is not served.
 *
 * @param allow - ids in place of the default
 * @param own - endpoints outside the contract
 * @returns the allowed endpoints, and all that the proxy knows; the paths with the fewest placeholders
 *   first: `/products/available` is not an order id
 * @throws ConfigurationError
 */
export function requireOperations(
  allow: unknown,
  own: unknown,
): { readonly allowed: readonly Endpoint[]; readonly known: readonly Endpoint[] } {
  const known = [...ENDPOINTS, ...requireEndpoints(own)].sort(
    (one, other) => countPlaceholders(one) - countPlaceholders(other),
  );
  if (allow !== undefined && !Array.isArray(allow))
    refuse('allow', 'must be an array of operations');
  const listed: ReadonlySet<unknown> | undefined = allow && new Set<unknown>(allow);
  for (const id of listed ?? []) {
    const endpoint = known.find((one) => one.id === id);
    if (endpoint === undefined) refuse('allow', 'has an operation that does not exist');
    if (endpoint?.pageAccess === 'never') {
      refuse('allow', `must not have ${id}: its response has a secret. Call it on your server`);
    }
  }
  const allowed = known.filter(({ id, pageAccess }) => listed?.has(id) ?? pageAccess === 'allowed');
  return { allowed, known };
}
