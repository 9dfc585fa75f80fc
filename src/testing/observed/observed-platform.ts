import { isObject } from '../../contract/formats/is-object.js';
import { readQuery } from '../query.js';
import type { Route } from '../routing.js';
import type { RequestContext } from '../run-behaviour.js';
import type { MockState } from '../state.js';
import { findRow, type ObservedRow, takesForm } from './rows.js';
import { runObserved } from './run-observed.js';

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

export { MockObserved } from './mock-observed.js';
export { OBSERVED_ROUTES } from './rows.js';

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

/** Returns the fields of a form where the call takes one, or the body. */
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
