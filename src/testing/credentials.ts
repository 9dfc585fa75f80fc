import type { Endpoint } from '../contract/endpoint.js';
import type { MockResponse } from './behaviour.js';
import type { MockClock } from './clock.js';
import { type Environment, isInEnvironment } from './environment.js';
import { documentedErrorResponse } from './error-responses.js';
import type { MockState, MockUser } from './state.js';

/** The credentials that a platform accepts. */
export type MockCredentials = { clientKey: string; clientId: string; secretKey: string };

/** The error response to bad credentials, or the user of good ones. */
export type CredentialCheck = { errorResponse: MockResponse } | { user: MockUser | undefined };

/** Returns 499 for a missing key, 498 for a wrong one. */
function keyErrorStatus(given: string | null, expected: string): 498 | 499 | undefined {
  if (given === null) return 499;
  return given === expected ? undefined : 498;
}

function sessionUser(headers: Headers, state: MockState, clock: MockClock): MockUser | undefined {
  const [, accessToken] = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '') ?? [];
  const session = state.sessions.find((one) => one.accessToken === accessToken);
  if (session === undefined || session.expiresAt <= clock.now()) return undefined;
  return state.users.find(({ id }) => id === session.userId);
}

/** A request whose credentials are to be checked. */
export type IncomingRequest = {
  endpoint: Endpoint;
  headers: Headers;
  credentials: MockCredentials;
  state: MockState;
  clock: MockClock;
  environment: Environment | undefined;
};

/** Checks the credentials that the endpoint of a request needs. */
export function checkCredentials(request: IncomingRequest): CredentialCheck {
  const { endpoint, headers, credentials, state, clock, environment } = request;
  const needs = (name: (typeof endpoint.credentials)[number]) =>
    endpoint.credentials.includes(name);
  const reject = (status: number) => ({
    errorResponse: documentedErrorResponse(endpoint.id, status),
  });
  const badKey =
    (needs('clientKey')
      ? keyErrorStatus(headers.get('x-client-key'), credentials.clientKey)
      : undefined) ??
    (needs('clientId')
      ? keyErrorStatus(headers.get('x-client-id'), credentials.clientId)
      : undefined);
  if (badKey !== undefined) return reject(badKey);
  if (needs('secretKey') && headers.get('x-secret-key') !== credentials.secretKey) {
    return reject(401);
  }
  const tokenUser = sessionUser(headers, state, clock);
  const user = tokenUser && isInEnvironment(environment, tokenUser) ? tokenUser : undefined;
  // In practice the service rejects a stale bearer token even on endpoints that need none.
  const isStale = headers.has('authorization') && user === undefined;
  if (isStale || (needs('accessToken') && user === undefined)) return reject(401);
  return { user };
}
