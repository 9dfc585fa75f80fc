import { isObject } from '../../contract/formats/is-object.js';
import { matchPath } from '../path-pattern.js';
import { readQuery } from '../query.js';
import type { Route } from '../routing.js';
import type { RequestContext } from '../run-behaviour.js';
import type { MockState } from '../state.js';
import { observedUserId } from './observed-user.js';
import { type ObservedRow, ROWS } from './rows.js';
import { runObserved } from './run-observed.js';

export { MockObserved } from './mock-observed.js';

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

/** Returns the fields of a form, or the body: one client sends its grants as a form. */
function readForm(
  { headers, text, body }: UnroutedRequest,
  { endpoint, fields }: ObservedRow,
): unknown {
  const isForm = headers.get('content-type')?.includes('x-www-form-urlencoded') === true;
  if (!isForm || isObject(body) || !endpoint.id.startsWith('auth.oauth2.')) return body;
  const form = readQuery(text);
  const given = Object.keys(fields).map((name) => [name, form.get(name)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== null));
}

/** Returns the observed call of a request, or `undefined` when there is none. */
export function findObserved(request: UnroutedRequest): ObservedRoute | undefined {
  const { method, path, search, headers, text } = request;
  for (const row of ROWS) {
    if (row.endpoint.method !== method) continue;
    const params = matchPath(row.pattern, path);
    if (params === undefined) continue;
    const body = readForm(request, row);
    if (row.grant !== undefined && Object(body)['grant_type'] !== row.grant) continue;
    const query = readQuery(search);
    const found = { row, params, method, headers, query, search, body, text };
    return {
      endpoint: row.endpoint,
      params,
      run: (context) => runObserved(context, found),
      userId: (state) =>
        observedUserId(state, {
          ...Object(body),
          onboardingId: Object(body)['onboardingId'] ?? query.get('onboardingId'),
        }),
    };
  }
  return undefined;
}

/** The observed calls, for the hint of an unknown request. */
export const OBSERVED_ROUTES = ROWS.map(({ endpoint }) => endpoint);
