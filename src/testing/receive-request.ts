import { type Endpoint, placeholdersIn } from '../contract/endpoint.js';
import { throwIfAborted, untilAborted } from '../contract/formats/abort-reason.js';
import { parseWebUrl, type WebUrl } from '../contract/formats/url.js';
import type { MockResponse } from './behaviour.js';
import { breakOffBody, connectionError } from './broken-connections.js';
import { decodeInput } from './check-input.js';
import { requireKnownOptions } from './check-options.js';
import { type CredentialsById, checkCredentials, findSession, sessionUser } from './credentials.js';
import { environmentOf, isInEnvironment } from './environment.js';
import { documentedErrorResponse } from './error-responses.js';
import type { FaultParts } from './fault-controls.js';
import { type FaultAction, requireStatus } from './faults.js';
import { OBSERVED_ROUTES } from './observed/rows.js';
import { findObserved } from './observed/run-observed.js';
import type { MockPlatformOptions } from './options.js';
import { isPagePath, servePage } from './pages.js';
import { delay } from './planned-faults.js';
import { acceptSolanaProof, checkEvmMessage } from './proofs.js';
import { readQuery } from './query.js';
import type { MockRequest } from './requests.js';
import { findRoute, type Route } from './routing.js';
import { type RequestContext, type RoutedRequest, runBehaviour } from './run-behaviour.js';
import type { OwnRoute, RouteResponse } from './served-routes.js';
import type { Simulation } from './simulation.js';
import type { MockState } from './state.js';
import { DEFAULT_TENANT } from './tenants.js';
import { unhandledResponse } from './unhandled.js';

/** Parses a body as JSON. Returns other text unchanged, and `undefined` for an empty body. */
function parseBody(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY = [204, 205, 304];

function encode(body: unknown): { type: string; content: string | Uint8Array<ArrayBuffer> } {
  if (body instanceof Uint8Array) {
    return { type: 'application/octet-stream', content: new Uint8Array(body) };
  }
  if (typeof body === 'string') return { type: 'text/plain', content: body };
  return { type: 'application/json', content: JSON.stringify(body) };
}

/** Converts a response of the mock to a `Response`. */
function toResponse({ status, body, headers }: MockResponse, now: number): Response {
  const { type, content } = encode(body);
  const date = new Date(now).toUTCString();
  return new Response(WITHOUT_BODY.includes(status) ? null : content, {
    status,
    headers: { 'content-type': type, date, ...headers },
  });
}

/** A request to a route that a test serves. */
type OwnRequest = RoutedRequest & { route: Route & OwnRoute; request: MockRequest };

/** Checks the credentials of a request, then runs the handler of its route. */
async function runRoute(
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

/** How the platform handles a request that reaches it. */
type Processing = {
  /** Changes the state and returns the response. */
  process: () => Promise<Response>;
  /** Sends the response of a fault: without a body, the one that the contract documents. */
  fail: (response: MockResponse) => Response;
};

/**
 * Applies a planned fault to a request.
 *
 * @throws TypeError, as `fetch` does, when the connection breaks
 */
async function applyFault(
  fault: FaultAction | undefined,
  { process, fail }: Processing,
): Promise<Response> {
  if (fault === undefined) return process();
  const { kind, moment } = fault;
  if (kind === 'fail') {
    if (moment === 'after-processing') await process();
    const response = fail(fault.response);
    return fault.isCutOff ? breakOffBody(response) : response;
  }
  if (moment === 'refused') throw connectionError('ECONNREFUSED');
  if (moment === 'before-processing') throw connectionError('ECONNRESET');
  const response = await process();
  if (moment === 'mid-body') return breakOffBody(response);
  throw connectionError('ECONNRESET');
}

/** A request, and its route if it has one. */
type RequestAndRoute = {
  route: Route | undefined;
  headers: Headers;
  search: string;
  body: unknown;
};

/**
 * Returns the id of the user whose request it is: the user of the access token, even if its session
 * has ended, or the one that the input names. A login names the e-mail address.
 */
function userIdOf(
  state: MockState,
  { route, headers, search, body }: RequestAndRoute,
): string | undefined {
  const session = findSession(headers, state);
  if (session !== undefined) return session.userId;
  if (route === undefined || route.endpoint.credentials.includes('accessToken')) return undefined;
  const query = readQuery(search);
  const { email, userId } = decodeInput(route, query, body);
  const named = state.users.filter((user) => user.email === email || user.id === userId);
  const environment = environmentOf(route.endpoint, headers, query);
  const key = headers.get('x-client-key');
  const tenant = state.tenants.find(({ clientKey }) => clientKey === key)?.name;
  // Tenants and environments have separate users, who may have the same e-mail address.
  const meant = named.find(
    (user) => user.tenant === (tenant ?? user.tenant) && isInEnvironment(environment, user),
  );
  return (meant ?? named[0])?.id;
}

/** The parts of a platform that a request needs. */
type PlatformParts = FaultParts & {
  /** Ends the request. */
  signal: AbortSignal;
  baseUrl: string;
  endpointCredentials: CredentialsById;
  simulation: Simulation;
  options: MockPlatformOptions;
  requests: MockRequest[];
  /** Whether the platform responds to the observed calls. */
  isObserved: boolean;
};

function contextOf(parts: PlatformParts): RequestContext {
  const { simulation, options, baseUrl, endpointCredentials } = parts;
  const { additions } = simulation;
  const { verifyEvmProof, verifySolanaProof } = options;
  const proofs = {
    evm: verifyEvmProof ?? checkEvmMessage,
    solana: verifySolanaProof ?? acceptSolanaProof,
  };
  return { simulation, baseUrl, endpointCredentials, proofs, additions };
}

/** Returns where a request goes: the path below the base URL, and the route that responds to it. */
function locate(request: Request, text: string, { baseUrl, routes, isObserved }: PlatformParts) {
  const { origin = 'an unreadable URL', ...url }: Partial<WebUrl> = parseWebUrl(request.url) ?? {};
  const base = parseWebUrl(baseUrl);
  const prefix = base === undefined || base.path === '/' ? '' : base.path;
  const whole = url.path ?? '';
  const isOurs = origin === base?.origin && whole.startsWith(`${prefix}/`);
  const path = isOurs ? whole.slice(prefix.length) : whole;
  const search = url.query === '?' ? '' : (url.query ?? '');
  const { method, headers } = request;
  const body = parseBody(text);
  const own = isOurs ? routes.find(method, path) : undefined;
  // Observed calls come before the contract's: `/v1/webhooks/events` is not the webhook `events`.
  const seen =
    isObserved && isOurs && own === undefined
      ? findObserved({ method, path, search, headers, body, text })
      : undefined;
  const route = own ?? seen ?? (isOurs ? findRoute(method, path) : undefined);
  const isPage = isOurs && !route && isPagePath(path);
  return { origin, path, search, isOurs, body, own, seen, route, isPage };
}

/** Returns how the platform handles a request that reaches it in spite of its faults. */
function processingOf(
  { headers, method }: Request,
  { origin, path, search, isOurs, own, seen, route }: ReturnType<typeof locate>,
  entry: MockRequest,
  parts: PlatformParts,
): Processing {
  const { simulation, options, routes, isObserved } = parts;
  const received = { headers, query: readQuery(search), body: entry.body };
  const respond = (response: MockResponse) => toResponse(response, simulation.clock.now());
  const fail: Processing['fail'] = (planned) => {
    if (planned.body !== undefined) return respond(planned);
    const { body } = documentedErrorResponse(route?.endpoint.id ?? '', planned.status);
    return respond({ ...planned, body });
  };
  const process = async (): Promise<Response> => {
    if (own) return runRoute(simulation, { ...received, route: own, request: entry });
    if (seen) return respond(await seen.run(contextOf(parts)));
    if (route) return respond(await runBehaviour(contextOf(parts), { ...received, route }));
    const known = [...routes.known, ...(isObserved ? OBSERVED_ROUTES : [])];
    const below = isOurs ? undefined : parts.baseUrl;
    return respond(unhandledResponse({ method, origin, path, below }, known, options.onUnhandled));
  };
  return { process, fail };
}

/** Logs a request and responds to it with its planned fault, its route or its endpoint. */
export async function receiveRequest(
  request: Request,
  text: string,
  parts: PlatformParts,
): Promise<Response> {
  const { simulation, planned, latency, requests, signal } = parts;
  const { method, headers } = request;
  const located = locate(request, text, parts);
  const { path, search, body, seen, route } = located;
  const id = route?.endpoint.id;
  if (located.isPage) {
    await delay(latency.of(id), signal);
    throwIfAborted(signal);
    return servePage(simulation, { method, path, query: readQuery(search), text });
  }
  const entry: MockRequest = {
    operation: id,
    method,
    path: `${path}${search}`,
    headers: Object.fromEntries(headers),
    body,
    userId:
      userIdOf(simulation.state, { route, headers, search, body }) ??
      seen?.userId(simulation.state),
    status: undefined,
  };
  requests.push(entry);
  const { hold, fault } = id === undefined ? {} : planned.take(id, entry);
  await delay(latency.of(id), signal);
  throwIfAborted(signal);
  if (hold?.moment === 'before-processing') {
    await hold.holdBack(entry, signal);
    // It may have been released, and ended in the same turn.
    throwIfAborted(signal);
  }
  // The platform goes on with what it began.
  const responding = untilAborted(
    signal,
    applyFault(fault, processingOf(request, located, entry, parts)),
  );
  if (hold?.moment === 'after-processing') {
    // A failure is thrown below, after the hold.
    await responding.catch(() => {});
    throwIfAborted(signal);
    await hold.holdBack(entry, signal);
  }
  const response = await responding;
  const isCutOff = fault?.kind === 'drop' || fault?.isCutOff;
  if (!isCutOff) entry.status = response.status;
  return response;
}
