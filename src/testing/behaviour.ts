import type { Endpoint } from '../contract/endpoint.js';
import type { AcceptedAdditions } from './additions.js';
import type { MockClock } from './clock.js';
import type { Environment } from './environment.js';
import type { Emit } from './events.js';
import type { Identifiers } from './identifiers.js';
import type { ProofVerifiers } from './proofs.js';
import type { Query } from './query.js';
import type { MockCard, MockState, MockUser } from './state.js';

/** A response of the platform. */
export type MockResponse = {
  status: number;
  /** JSON; `undefined` sends an empty body. */
  body: unknown;
  headers?: Readonly<Record<string, string>>;
};

/** The request that a behaviour handles, and the parts of the platform that it needs. */
export type MockCall = {
  endpoint: Endpoint;
  /** Path, query and body together, under the field names of the declaration. */
  input: Readonly<Record<string, unknown>>;
  /** The query of the request, for parameters that are not in the declaration. */
  query: Query;
  state: MockState;
  clock: MockClock;
  ids: Identifiers;
  baseUrl: string;
  /** Name of the tenant that the credentials belong to. */
  tenant: string;
  proofs: ProofVerifiers;
  /** What the platform accepts beyond the contract's lists. */
  additions: AcceptedAdditions;
  /** The environment of the request; `undefined` when it may concern either. */
  environment: Environment | undefined;
  /** Whether the traffic of the request goes to the US. */
  isUs: boolean;
  /** Delivers an event to the webhooks that subscribe to it. */
  emit: Emit;
  /** The user of the access token. Reading it throws for a request without one. */
  user: MockUser;
};

/** The behaviour of one endpoint. */
type Behaviour = (call: MockCall) => MockResponse | Promise<MockResponse>;

/** Behaviours by endpoint id. */
export type Behaviours = Readonly<Record<string, Behaviour>>;

/** Returns a successful response. */
export const ok = (body: unknown, status = 200): MockResponse => ({ status, body });

/** Returns an error response of the form `{ message }`. */
export const errorResponse = (status: number, message: string): MockResponse => ({
  status,
  body: { message },
});

/** Returns a 422 that lists the invalid fields of a request, in the contract's form. */
export const fieldErrors = (
  ...errors: readonly { field: string; message: string }[]
): MockResponse => ({ status: 422, body: { message: 'Validation failed', errors } });

/** Returns a string of the input, or the empty string. */
export function textOf(call: MockCall, field: string): string {
  const value = call.input[field];
  return typeof value === 'string' ? value : '';
}

/** The response when the user has no card. */
export const cardNotFound = () => errorResponse(404, 'Card not found');

/** Runs a behaviour for the user's card. Responds 404 when there is none. */
export const withCard =
  <Call extends MockCall>(behaviour: (call: Call, card: MockCard) => MockResponse) =>
  (call: Call): MockResponse => {
    const { card } = call.user;
    return card === null ? cardNotFound() : behaviour(call, card);
  };

/** Returns a guard that responds with a refusal unless a part of the platform is switched on. */
const unlessOff =
  (part: 'isCustodial' | 'isNotificationServiceConfigured', refusal: MockResponse) =>
  <Call extends MockCall>(behaviour: (call: Call) => MockResponse) =>
  (call: Call): MockResponse =>
    call.state[part] ? behaviour(call) : refusal;

/** Runs a behaviour on a custodial platform. Responds 403 on any other. */
export const custodial = unlessOff(
  'isCustodial',
  errorResponse(403, 'This is only available for CUSTODIAL platforms'),
);

/** Runs a behaviour when the notification service is configured. Responds 503 otherwise. */
export const withNotificationService = unlessOff(
  'isNotificationServiceConfigured',
  errorResponse(503, 'Notification service is not configured for this environment'),
);
