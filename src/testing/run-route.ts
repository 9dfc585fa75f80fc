import type { Endpoint } from '../contract/endpoint.js';
import { placeholdersIn } from '../contract/placeholders.js';
import type { MockResponse } from './behaviour.js';
import { checkCredentials, sessionUser } from './credentials.js';
import { decodeInput } from './decode-input.js';
import { environmentOf } from './environment.js';
import { documentedErrorResponse } from './error-responses.js';
import { requireStatus } from './faults.js';
import { toResponse } from './http-messages.js';
import { requireKnownOptions } from './known-options.js';
import type { MockRequest } from './requests.js';
import type { RouteResponse } from './route-types.js';
import type { Route } from './routing.js';
import type { RoutedRequest } from './run-behaviour.js';
import type { OwnRoute } from './served-routes.js';
import type { Simulation } from './simulation.js';
import { DEFAULT_TENANT } from './tenants.js';

/** A request to a route that a test serves. */
export type OwnRequest = RoutedRequest & { route: Route & OwnRoute; request: MockRequest };

/** Checks the credentials of a request, then runs the handler of its route. */
export async function runRoute(
  simulation: Simulation,
  { route, headers, query, body, request }: OwnRequest,
): Promise<Response> {
  const { endpoint, params, handler } = route;
  const { state, clock } = simulation;
  const environment = environmentOf(endpoint, headers, query);
  const check = route.needsCredentials
    ? checkCredentials({ endpoint, headers, environment, state, clock })
    : lenientCheck(simulation, headers);
  if ('errorResponse' in check) return toResponse(check.errorResponse, clock.now());
  simulation.applyElapsedTime();
  const input = typedValues(endpoint, decodeInput(route, query, body));
  const { user, tenant } = check;
  const given = await handler({ input, params, query, body, headers, request, user, tenant });
  return isResponse(given) ? given : toResponse(readResponse(route, given), clock.now());
}

/** Accepts any credentials, for a route that needs none. A valid token still sets the user. */
function lenientCheck({ state, clock }: Simulation, headers: Headers) {
  const user = sessionUser(headers, state, clock);
  return { user, tenant: user?.tenant ?? DEFAULT_TENANT };
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;

function otherTypeOf(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return NUMBER.test(text) ? Number(text) : text;
}

/**
 * Path and query carry text only. Where the schema of the endpoint refuses a text that spells a number
 * or a boolean, the handler gets the number or the boolean.
 */
function typedValues(endpoint: Endpoint, input: Record<string, unknown>): Record<string, unknown> {
  const result = endpoint.input['~standard'].validate(input);
  if (result instanceof Promise || result.issues === undefined) return input;
  const texts = [...(endpoint.query ?? []), ...placeholdersIn(endpoint.path)];
  const refused = result.issues.map(({ path }) => {
    const [first] = path ?? [];
    return typeof first === 'object' ? first.key : first;
  });
  const typed = { ...input };
  for (const name of texts) {
    const text = input[name];
    if (typeof text === 'string' && refused.includes(name)) typed[name] = otherTypeOf(text);
  }
  return typed;
}

/** Recognises a `Response`, also one of another realm or library. */
const isResponse = (given: unknown): given is Response =>
  typeof given === 'object' && given !== null && 'arrayBuffer' in given && 'headers' in given;

function readResponse(route: OwnRoute, given: Exclude<RouteResponse, Response>): MockResponse {
  const { id, response: kind = 'json' } = route.endpoint;
  const what = `serve: the response of ${id}`;
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${what} must be a Response, or have status, body and headers`);
  }
  requireKnownOptions(what, given, ['status', 'body', 'headers']);
  const { body, headers = {} } = given;
  const status = requireStatus(given.status ?? 200);
  if (!route.isDeclared) return { status, body, headers };
  if (body === undefined && status >= 400)
    return { ...documentedErrorResponse(id, status), headers };
  if (typeof body !== 'string' || kind !== 'json') return { status, body, headers };
  // JSON of a string is a string in quotation marks.
  const json = JSON.stringify(body);
  return { status, body: json, headers: { 'content-type': 'application/json', ...headers } };
}
