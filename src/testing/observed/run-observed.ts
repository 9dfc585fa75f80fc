import { check } from '../../contract/check.js';
import { isObject } from '../../contract/formats/is-object.js';
import { fieldErrors, type MockResponse } from '../behaviour.js';
import { checkCredentials } from '../credentials.js';
import { withCredentials } from '../endpoint-credentials.js';
import { environmentOf } from '../environment.js';
import { documentedErrorResponse } from '../error-responses.js';
import type { Query } from '../query.js';
import { callOf, type RequestContext } from '../run-behaviour.js';
import { type BrokenField, brokenFields } from './broken-fields.js';
import { OBSERVED_BEHAVIOURS } from './observed-behaviours.js';
import { type ObservedBehaviours, oauthError } from './observed-call.js';
import type { ObservedRow } from './rows.js';
import { serveSignIn } from './sign-in-page.js';
import { observedStateOf } from './state.js';

/** A request whose observed call is known. */
export type ObservedRequest = {
  row: ObservedRow;
  params: Readonly<Record<string, string>>;
  method: string;
  headers: Headers;
  query: Query;
  search: string;
  /** The parsed body. */
  body: unknown;
  text: string;
};

/** Returns a value of the query: a number where the field is one. */
function queryValue({ fields }: ObservedRow, name: string, text: string): unknown {
  const field = fields[name];
  const isNumber = field !== undefined && /^\d+$/.test(text) && check(field, text).length > 0;
  return isNumber ? Number(text) : text;
}

/** Returns the fields of path, query and body. */
function inputOf({ row, params, query, body }: ObservedRequest): Record<string, unknown> {
  const input: Record<string, unknown> = { ...(isObject(body) ? body : {}), ...params };
  for (const name of row.endpoint.query ?? []) {
    delete input[name];
    const text = query.get(name);
    if (text !== null) input[name] = queryValue(row, name, text);
  }
  return input;
}

/** Returns the refusal of invalid fields in the form of the call's family. */
function invalidInput(id: string, broken: readonly BrokenField[]): MockResponse {
  const words = broken.map(({ field, message }) => `${field} ${message}`).join('; ');
  if (id.startsWith('auth.oauth')) return oauthError(400, 'invalid_request', words);
  if (id.startsWith('webhooks.')) return { status: 400, body: { message: words } };
  return fieldErrors(...broken);
}

/** Checks the credentials and the fields of an observed call, then runs its behaviour. */
export async function runObserved(
  context: RequestContext,
  request: ObservedRequest,
): Promise<MockResponse> {
  const { row, headers, query } = request;
  const { simulation } = context;
  const { state, clock, ids } = simulation;
  const observed = observedStateOf(state);
  const { id } = row.endpoint;
  if (id === 'auth.oauth2.authorizeUrl') {
    return serveSignIn({ state, observed, clock, ids }, request);
  }
  const endpoint = withCredentials(row.endpoint, context.endpointCredentials);
  const environment = environmentOf(endpoint, headers, query);
  // A user who has not granted the permission yet does so here.
  const isGranting = id === 'auth.oauth.authorize';
  const credentials = endpoint.credentials.filter((one) => !isGranting || one !== 'accessToken');
  const checked = { ...endpoint, credentials };
  const check = checkCredentials({ endpoint: checked, headers, environment, state, clock });
  if ('errorResponse' in check) return check.errorResponse;
  const { user, tenant } = check;
  if (endpoint.credentials.includes('accessToken') && user === undefined) {
    return documentedErrorResponse(id, 401);
  }
  const input = inputOf(request);
  const broken = brokenFields(row.fields, input);
  if (broken.length > 0) return invalidInput(id, broken);
  const behaviour = OBSERVED_BEHAVIOURS[id as keyof ObservedBehaviours];
  if (behaviour === undefined) throw new Error(`${id} has no behaviour`);
  simulation.applyElapsedTime();
  const isUs = environment === 'us';
  const call = callOf(context, { endpoint, input, query, environment, isUs, tenant }, user);
  const place = { tenant, environment: environment ?? 'global' };
  // Not a spread, which would call the getter of the user at once.
  return behaviour(Object.assign(call, { observed, headers, simulation, place }));
}
