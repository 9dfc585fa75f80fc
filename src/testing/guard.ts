import type { Endpoint } from '../contract/endpoint.js';
import { type MockAnswer, refuse } from './behaviour.js';
import type { MockClock } from './clock.js';
import { type Environment, isIn } from './environment.js';
import type { MockState, MockUser } from './state.js';

/** The credentials that a platform takes. */
export type MockCredentials = { clientKey: string; clientId: string; secretKey: string };

/** Whether a request may come in, and as whom. */
export type Admission = { refusal: MockAnswer } | { user: MockUser | undefined };

function checkKey(given: string | null, expected: string, name: string): MockAnswer | undefined {
  if (given === null) return refuse(499, `Missing ${name}`);
  return given === expected ? undefined : refuse(498, `Invalid ${name}`);
}

function sessionUser(headers: Headers, state: MockState, clock: MockClock): MockUser | undefined {
  const [, accessToken] = /^Bearer (\S+)$/.exec(headers.get('authorization') ?? '') ?? [];
  const session = state.sessions.find((one) => one.accessToken === accessToken);
  if (session === undefined || session.expiresAt <= clock.now()) return undefined;
  return state.users.find(({ id }) => id === session.userId);
}

/** A request at the door of a platform. */
export type Visit = {
  endpoint: Endpoint;
  headers: Headers;
  credentials: MockCredentials;
  state: MockState;
  clock: MockClock;
  environment: Environment | undefined;
};

/** Checks the credentials of a request, exactly those that its endpoint takes. */
export function admit(visit: Visit): Admission {
  const { endpoint, headers, credentials, state, clock, environment } = visit;
  const takes = (name: (typeof endpoint.credentials)[number]) =>
    endpoint.credentials.includes(name);
  const refusal =
    (takes('clientKey')
      ? checkKey(headers.get('x-client-key'), credentials.clientKey, 'client key')
      : undefined) ??
    (takes('clientId')
      ? checkKey(headers.get('x-client-id'), credentials.clientId, 'client id')
      : undefined);
  if (refusal !== undefined) return { refusal };
  if (takes('secretKey') && headers.get('x-secret-key') !== credentials.secretKey) {
    return { refusal: refuse(401, 'Not authenticated') };
  }
  const known = sessionUser(headers, state, clock);
  const user = known && isIn(environment, known) ? known : undefined;
  // The service was seen to refuse a stale bearer even where it takes none.
  const isStale = headers.has('authorization') && user === undefined;
  if (isStale || (takes('accessToken') && user === undefined)) {
    return { refusal: refuse(401, 'Not authenticated') };
  }
  return { user };
}
