import type { Endpoint } from '../contract/endpoint.js';
import type { MockResponse } from './behaviour.js';
import type { MockClock } from './clock.js';
import { type Environment, isIn } from './environment.js';
import { documentedRefusal } from './refusals.js';
import type { MockState, MockUser } from './state.js';

/** The credentials that a platform takes. */
export type MockCredentials = { clientKey: string; clientId: string; secretKey: string };

/** Whether a request may come in, and as whom. */
export type Admission = { refusal: MockResponse } | { user: MockUser | undefined };

/** 499 without a key, 498 with another. */
function statusOfKey(given: string | null, expected: string): 498 | 499 | undefined {
  if (given === null) return 499;
  return given === expected ? undefined : 498;
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
  const refuse = (status: number) => ({ refusal: documentedRefusal(endpoint.id, status) });
  const badKey =
    (takes('clientKey')
      ? statusOfKey(headers.get('x-client-key'), credentials.clientKey)
      : undefined) ??
    (takes('clientId') ? statusOfKey(headers.get('x-client-id'), credentials.clientId) : undefined);
  if (badKey !== undefined) return refuse(badKey);
  if (takes('secretKey') && headers.get('x-secret-key') !== credentials.secretKey) {
    return refuse(401);
  }
  const known = sessionUser(headers, state, clock);
  const user = known && isIn(environment, known) ? known : undefined;
  // The service was seen to refuse a stale bearer even where it takes none.
  const isStale = headers.has('authorization') && user === undefined;
  if (isStale || (takes('accessToken') && user === undefined)) return refuse(401);
  return { user };
}
