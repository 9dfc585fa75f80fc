import { findSession } from './credentials.js';
import { decodeInput } from './decode-input.js';
import { readQuery } from './query.js';
import type { Route } from './routing.js';
import type { MockState } from './state.js';

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
export function userIdOf(
  state: MockState,
  { route, headers, search, body }: RequestAndRoute,
): string | undefined {
  const session = findSession(headers, state);
  if (session !== undefined) return session.userId;
  if (route === undefined || route.endpoint.credentials.includes('accessToken')) return undefined;
  const { email, userId } = decodeInput(route, readQuery(search), body);
  return state.users.find((user) => user.email === email || user.id === userId)?.id;
}
