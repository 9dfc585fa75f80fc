import { check } from '../../contract/check.js';
import { isObject } from '../../contract/formats/is-object.js';
import { fieldErrors, type MockResponse } from '../behaviour.js';
import { passwordProblem, WRONG_LOGIN } from '../behaviours/auth.js';
import { checkCredentials, withCredentials } from '../credentials.js';
import { environmentOf } from '../environment.js';
import { documentedErrorResponse } from '../error-responses.js';
import { PAGE_HEADERS } from '../pages.js';
import { type Query, readQuery } from '../query.js';
import type { Route } from '../routing.js';
import { callOf, type RequestContext } from '../run-behaviour.js';
import type { MockState, MockUser } from '../state.js';
import { accountBehaviours } from './account.js';
import { observedCardBehaviours } from './card.js';
import { observedConsentBehaviours } from './consent.js';
import type { GrantStore } from './grants.js';
import { oauth2Behaviours, oauthBehaviours } from './oauth.js';
import {
  type BrokenField,
  brokenFields,
  type ObservedBehaviours,
  oauthError,
} from './observed-call.js';
import { priorityBehaviours } from './priority.js';
import { contactBehaviours, stepBehaviours } from './registration.js';
import { rewardBehaviours } from './reward.js';
import { findRow, type ObservedRow, takesForm } from './rows.js';
import { acceptSignIn, declineSignIn, readSignIn, type SignInRequest } from './sign-in.js';
import { observedStateOf } from './state.js';
import { webhookEventBehaviours } from './webhook-events.js';

const page = (status: number, body: string): MockResponse => ({
  status,
  headers: PAGE_HEADERS,
  body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign in</title></head><body style="font:16px system-ui;margin:24px">${body}</body></html>`,
});

/** A refusal contains none of the values of the request, so nothing needs to be escaped. */
const form = (status: number, problem = '') =>
  page(
    status,
    `<h1>Sign in</h1><form method="post"><p role="alert">${problem}</p><p><label>E-mail <input name="email" type="email" autocomplete="username"></label></p><p><label>Password <input name="password" type="password" autocomplete="current-password"></label></p><button name="action" value="allow">Sign in and allow</button> <button name="action" value="deny" formnovalidate>Deny</button></form>`,
  );

const redirect = (location: string): MockResponse => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: undefined,
});

/** Returns the user of a form of the page, or why nobody is signed in. */
function readUser(
  { users }: MockState,
  { tenant }: SignInRequest,
  sent: Query,
): { user: MockUser } | { problem: string } {
  const password = sent.get('password') ?? '';
  const named = users.filter(
    (one) => one.tenant === tenant.name && one.email === sent.get('email'),
  );
  // Both environments share the page, so the password decides between users of the same address. A
  // wrong one counts for both: the page does not say which of them is meant.
  const meant = named.filter((one) => one.password === password);
  let problem = WRONG_LOGIN;
  for (const user of meant.length > 0 ? meant : named) {
    const own = passwordProblem(user, password);
    if (own === undefined && user.phase === null) return { user };
    problem = own ?? 'Registration is not finished';
  }
  return { problem };
}

/** Serves the page on which a user signs in, and receives its form. */
function serveSignIn(
  store: GrantStore,
  { method, search, text }: { method: string; search: string; text: string },
): MockResponse {
  let request: SignInRequest;
  try {
    request = readSignIn(readQuery(search), store.state);
  } catch (error) {
    return page(400, `<p role="alert">${error instanceof Error ? error.message : ''}</p>`);
  }
  if (method === 'GET') return form(200);
  const sent = readQuery(text);
  if (sent.get('action') === 'deny') return redirect(declineSignIn(request));
  const found = readUser(store.state, request, sent);
  if ('problem' in found) return form(401, `${found.problem}.`);
  found.user.failedLogins = 0;
  return redirect(acceptSignIn(store, request, found.user));
}

/** The behaviour of each observed call, by its id. */
const OBSERVED_BEHAVIOURS: ObservedBehaviours = {
  ...oauthBehaviours,
  ...oauth2Behaviours,
  ...accountBehaviours,
  ...contactBehaviours,
  ...stepBehaviours,
  ...observedConsentBehaviours,
  ...priorityBehaviours,
  ...rewardBehaviours,
  ...observedCardBehaviours,
  ...webhookEventBehaviours,
};

/** A request whose observed call is known. */
type ObservedRequest = {
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
async function runObserved(
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

/** Returns the id of the user whose code, token or registration a request names. */
function observedUserId(
  { observed }: MockState,
  input: Readonly<Record<string, unknown>>,
): string | undefined {
  if (observed === undefined) return undefined;
  const { code, refresh_token: token, onboardingId, contactVerificationId } = input;
  const { authorizations, grants, registrations } = observed;
  const authorization = authorizations.find((one) => one.code !== null && one.code === code);
  const grant = grants.find(
    ({ refreshToken, usedRefreshTokens }) =>
      refreshToken !== null && [refreshToken, ...usedRefreshTokens].some((one) => one === token),
  );
  const registration = registrations.find(
    (one) =>
      one.onboardingId === onboardingId || one.contactVerificationId === contactVerificationId,
  );
  return authorization?.userId ?? grant?.userId ?? registration?.userId;
}

/** A request before its observed call is known. */
export type UnroutedRequest = {
  method: string;
  path: string;
  search: string;
  headers: Headers;
  /** Parsed JSON, or the text. */
  body: unknown;
  text: string;
};

/** The observed call of a request, and how it is run. */
export type ObservedRoute = Route & {
  run: (context: RequestContext) => ReturnType<typeof runObserved>;
  /** Returns the id of the user whose request it is, where a code, a token or an id shows it. */
  userId: (state: MockState) => string | undefined;
};

/** Returns the fields of a form where the call accepts one, or the body. */
function readForm(
  { headers, text, body }: UnroutedRequest,
  { endpoint, fields }: ObservedRow,
): unknown {
  const isForm = headers.get('content-type')?.includes('x-www-form-urlencoded') === true;
  if (!isForm || isObject(body) || !takesForm(endpoint)) return body;
  const form = readQuery(text);
  const given = Object.keys(fields).map((name) => [name, form.get(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** Returns the observed call of a request, or `undefined` when there is none. */
export function findObserved(request: UnroutedRequest): ObservedRoute | undefined {
  const { method, path, search, headers, text } = request;
  const found = findRow(method, path, (row) => readForm(request, row));
  if (found === undefined) return undefined;
  const { row, params } = found;
  const body = readForm(request, row);
  const query = readQuery(search);
  const observed = { row, params, method, headers, query, search, body, text };
  return {
    endpoint: row.endpoint,
    params,
    run: (context) => runObserved(context, observed),
    userId: (state) =>
      observedUserId(state, {
        ...Object(body),
        onboardingId: Object(body)['onboardingId'] ?? query.get('onboardingId'),
      }),
  };
}
