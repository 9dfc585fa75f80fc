import type { AcceptedAdditions } from './additions.js';
import type { Behaviours, MockCall, MockResponse } from './behaviour.js';
import { authBehaviours } from './behaviours/auth.js';
import { cardBehaviours } from './behaviours/card.js';
import { consentBehaviours } from './behaviours/consent.js';
import { delegationBehaviours } from './behaviours/delegation.js';
import { orderBehaviours } from './behaviours/orders.js';
import { userBehaviours } from './behaviours/user.js';
import { walletBehaviours } from './behaviours/wallets.js';
import { webhookBehaviours } from './behaviours/webhooks.js';
import {
  brokenRules,
  decodeInput,
  invalidInputResponse,
  isSaidToBeJson,
  JSON_TYPE_RULE,
} from './check-input.js';
import { type CredentialsById, checkCredentials, withCredentials } from './credentials.js';
import { environmentOf, isForUs } from './environment.js';
import type { ProofVerifiers } from './proofs.js';
import type { Query } from './query.js';
import type { Route } from './routing.js';
import type { Simulation } from './simulation.js';
import type { MockUser } from './state.js';

/** The behaviour of each endpoint, by endpoint id. */
export const BEHAVIOURS: Behaviours = {
  ...authBehaviours,
  ...cardBehaviours,
  ...consentBehaviours,
  ...delegationBehaviours,
  ...orderBehaviours,
  ...userBehaviours,
  ...walletBehaviours,
  ...webhookBehaviours,
};

/** The platform that a request runs against. */
export type RequestContext = {
  simulation: Simulation;
  baseUrl: string;
  endpointCredentials: CredentialsById;
  proofs: ProofVerifiers;
  additions: AcceptedAdditions;
};

/** A request whose endpoint is known. */
export type RoutedRequest = {
  route: Route;
  headers: Headers;
  query: Query;
  body: unknown;
};

/** Checks the credentials and the input of a request, then runs the behaviour of its endpoint. */
export async function runBehaviour(
  context: RequestContext,
  { route, headers, query, body }: RoutedRequest,
): Promise<MockResponse> {
  const { endpoint } = route;
  const { simulation, additions } = context;
  const { state, clock } = simulation;
  const environment = environmentOf(endpoint, headers, query);
  const check = checkCredentials({
    endpoint: withCredentials(endpoint, context.endpointCredentials),
    headers,
    environment,
    state,
    clock,
  });
  if ('errorResponse' in check) return check.errorResponse;
  const input = decodeInput(route, query, body);
  const isRead =
    state.choices.untypedBody === 'accepted' || isSaidToBeJson(endpoint, headers, body);
  const rules = isRead ? brokenRules(endpoint, input, additions) : [JSON_TYPE_RULE];
  if (rules.length > 0) return invalidInputResponse(endpoint, input, rules);
  const behaviour = BEHAVIOURS[endpoint.id];
  if (behaviour === undefined) throw new Error(`${endpoint.id} has no behaviour`);
  simulation.applyElapsedTime();
  const { user, tenant } = check;
  const isUs = isForUs(endpoint, headers, query);
  return behaviour(callOf(context, { endpoint, input, query, environment, isUs, tenant }, user));
}

/** Returns the argument of a behaviour. */
export function callOf(
  { simulation, baseUrl, proofs, additions }: RequestContext,
  request: Pick<MockCall, 'endpoint' | 'input' | 'query' | 'environment' | 'isUs' | 'tenant'>,
  user: MockUser | undefined,
): MockCall {
  return {
    ...request,
    state: simulation.state,
    clock: simulation.clock,
    ids: simulation.ids,
    baseUrl,
    proofs,
    additions,
    emit: (event) => simulation.deliveries.emit(event),
    get user() {
      if (user === undefined) throw new Error(`${request.endpoint.id} has no user`);
      return user;
    },
  };
}
