import type { Credential, Endpoint } from '../contract/endpoint.js';
import type { EndpointCredentials } from '../contract/endpoint-credentials.js';
import { nearestName } from '../contract/formats/nearest-name.js';
import { ACCESS_TOKEN_LIFETIME_MS } from '../contract/formats/token-lifetimes.js';
import type { MockCall, MockResponse } from './behaviour.js';
import type { MockClock } from './clock.js';
import { ENDPOINT_IDS } from './endpoint-ids.js';
import { type Environment, isInEnvironment } from './environment.js';
import { documentedErrorResponse, errorBodyOf } from './error-responses.js';
import type { MockState, MockTenant, MockUser } from './state.js';
import { CREDENTIAL_NAMES, DEFAULT_TENANT } from './tenants.js';

/** The names of all credentials. */
export const CREDENTIALS: readonly Credential[] = [...CREDENTIAL_NAMES, 'accessToken'];

/** Endpoints whose credentials differ from the contract, by id. */
export type CredentialsById = ReadonlyMap<string, readonly Credential[]>;

/**
 * Returns a copy of a list of credentials.
 *
 * @throws TypeError for any other value
 */
export function requireCredentials(what: string, names: unknown): readonly Credential[] {
  if (Array.isArray(names) && names.every((name) => CREDENTIALS.includes(name))) return [...names];
  throw new TypeError(`${what} must be a list of ${CREDENTIALS.join(', ')}`);
}

/** Checks the option `endpointCredentials`. */
export function requireEndpointCredentials(
  given: EndpointCredentials = {},
  observedIds: readonly string[] = [],
): CredentialsById {
  const byId = new Map<string, readonly Credential[]>();
  const known = [...ENDPOINT_IDS, ...observedIds];
  for (const [id, names] of Object.entries(given)) {
    if (!known.includes(id)) {
      throw new TypeError(
        `endpointCredentials: "${id}" is not an endpoint id. The nearest is "${nearestName(id, known)}"`,
      );
    }
    if (names === undefined) continue;
    byId.set(id, requireCredentials(`endpointCredentials: ${id}`, names));
  }
  return byId;
}

/** Returns an endpoint with the credentials that this platform expects. */
export function withCredentials(endpoint: Endpoint, byId: CredentialsById): Endpoint {
  const credentials = byId.get(endpoint.id);
  return credentials === undefined ? endpoint : { ...endpoint, credentials };
}

/** Creates a session for a user and returns its access token. */
export function createSession(
  { state, clock, ids }: Pick<MockCall, 'state' | 'clock' | 'ids'>,
  { id }: { id: string },
): string {
  const accessToken = ids.secret('access');
  const expiresAt = clock.now() + ACCESS_TOKEN_LIFETIME_MS;
  state.sessions.push({ accessToken, userId: id, expiresAt });
  return accessToken;
}

/** The error response to invalid credentials, or the user and the tenant of valid ones. */
type CredentialCheck =
  | { errorResponse: MockResponse }
  | { user: MockUser | undefined; tenant: string };

/** Returns the session of the access token in the headers, also one that has ended. */
export function findSession(headers: Headers, { sessions }: MockState) {
  const [, accessToken] = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '') ?? [];
  return sessions.find((one) => one.accessToken === accessToken);
}

/** Returns the user of the access token in the headers, or `undefined` without a valid one. */
export function sessionUser(
  headers: Headers,
  state: MockState,
  clock: MockClock,
): MockUser | undefined {
  const session = findSession(headers, state);
  if (session === undefined || session.expiresAt <= clock.now()) return undefined;
  return state.users.find(({ id }) => id === session.userId);
}

/** A request before its credentials are checked. */
type IncomingRequest = {
  endpoint: Endpoint;
  headers: Headers;
  state: MockState;
  clock: MockClock;
  environment: Environment | undefined;
};

/** The two keys that identify a tenant: the header of each, and its name in a refusal. */
const KEYS = [
  { name: 'clientKey', header: 'x-client-key', label: 'client key' },
  { name: 'clientId', header: 'x-client-id', label: 'client id' },
] as const satisfies readonly { name: Credential; header: string; label: string }[];

/** Returns the tenant of the keys, or the refusal: 499 for a missing key, 498 for a wrong one. */
function checkKeys({ endpoint, headers, state }: IncomingRequest) {
  const errorWith = (status: number, message: string) => ({
    errorResponse: { status, body: errorBodyOf(endpoint.id, message) },
  });
  let tenant: MockTenant | undefined;
  for (const { name, header, label } of KEYS) {
    if (!endpoint.credentials.includes(name)) continue;
    const given = headers.get(header);
    if (given === null) return errorWith(499, `Missing ${label}`);
    const owner = state.tenants.find((one) => one[name] === given);
    if (owner === undefined || (tenant ?? owner) !== owner)
      return errorWith(498, `Invalid ${label}`);
    tenant = owner;
  }
  return { tenant };
}

/** Checks the credentials that the endpoint of a request needs. */
export function checkCredentials(request: IncomingRequest): CredentialCheck {
  const { endpoint, headers, state, clock, environment } = request;
  const needs = (name: Credential) => endpoint.credentials.includes(name);
  const reject = (status: number) => ({
    errorResponse: documentedErrorResponse(endpoint.id, status),
  });
  const keys = checkKeys(request);
  if ('errorResponse' in keys) return keys;
  const { tenant } = keys;
  const secrets = (tenant === undefined ? state.tenants : [tenant]).map((one) => one.secretKey);
  if (needs('secretKey') && !secrets.includes(headers.get('x-secret-key') ?? '')) {
    return reject(401);
  }
  const tokenUser = sessionUser(headers, state, clock);
  const isOurs =
    tokenUser !== undefined &&
    isInEnvironment(environment, tokenUser) &&
    tokenUser.tenant === (tenant?.name ?? tokenUser.tenant);
  const user = isOurs ? tokenUser : undefined;
  // In practice the service rejects a stale bearer token even on endpoints that need none.
  const isStale = headers.has('authorization') && user === undefined;
  if (isStale || (needs('accessToken') && user === undefined)) return reject(401);
  if (needs('accessToken') && user?.isLinked === false) return reject(403);
  return { user, tenant: tenant?.name ?? user?.tenant ?? DEFAULT_TENANT };
}
