import type { MockCall, MockResponse } from './behaviour.js';
import { BEHAVIOURS } from './behaviours/index.js';
import type { MockClock } from './clock.js';
import { decodeInput } from './decode-input.js';
import { environmentOf } from './environment.js';
import { connectionError, type Fault } from './faults.js';
import { admit, type MockCredentials } from './guard.js';
import type { Identifiers } from './identifiers.js';
import { settle } from './passing-time.js';
import type { ProofVerifiers } from './proofs.js';
import type { Route } from './routing.js';
import type { MockState, MockUser } from './state.js';
import { brokenRules, refuseInput } from './validation.js';

/** What the platform knows when a request comes. */
export type Surroundings = {
  state: MockState;
  clock: MockClock;
  ids: Identifiers;
  baseUrl: string;
  credentials: MockCredentials;
  proofs: ProofVerifiers;
  additions: readonly string[];
};

/** A request whose endpoint is known. */
export type Arrived = { route: Route; headers: Headers; query: URLSearchParams; body: unknown };

const TENANT = 'mock-tenant';

/** Lets a request meet what a test has planned for it. */
export async function meet(
  fault: Fault | undefined,
  process: () => Promise<MockResponse>,
): Promise<MockResponse> {
  if (fault?.kind === 'answer') return fault.answer;
  if (fault?.kind === 'drop' && fault.moment === 'refused') throw connectionError('ECONNREFUSED');
  if (fault?.kind === 'drop' && fault.moment === 'before-processing') {
    throw connectionError('ECONNRESET');
  }
  const answer = await process();
  if (fault !== undefined) throw connectionError('ECONNRESET');
  return answer;
}

/** Lets the behaviour of its endpoint answer a request that may come in and says what it has to. */
export async function answerRequest(known: Surroundings, arrived: Arrived): Promise<MockResponse> {
  const { route, headers, query, body } = arrived;
  const { endpoint } = route;
  const environment = environmentOf(endpoint, headers, query);
  const { credentials, state, clock } = known;
  const admission = admit({ endpoint, headers, environment, credentials, state, clock });
  if ('refusal' in admission) return admission.refusal;
  const input = decodeInput(route, query, body);
  const rules = brokenRules(endpoint, input, known.additions);
  if (rules.length > 0) return refuseInput(endpoint, rules);
  const behaviour = BEHAVIOURS[endpoint.id];
  if (behaviour === undefined) throw new Error(`${endpoint.id} has no behaviour`);
  settle(state, clock);
  return behaviour(callOf(known, { endpoint, input, environment }, admission.user));
}

function callOf(
  { state, clock, ids, baseUrl, proofs }: Surroundings,
  said: Pick<MockCall, 'endpoint' | 'input' | 'environment'>,
  user: MockUser | undefined,
): MockCall {
  return {
    ...{ ...said, state, clock, ids, baseUrl, proofs },
    tenant: TENANT,
    get user() {
      if (user === undefined) throw new Error(`${said.endpoint.id} has no user`);
      return user;
    },
  };
}
