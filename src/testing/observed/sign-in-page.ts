import type { MockResponse } from '../behaviour.js';
import { PAGE_HEADERS } from '../page-html.js';
import { readQuery } from '../query.js';
import type { MockState, MockUser } from '../state.js';
import type { GrantStore } from './grants.js';
import { acceptSignIn, declineSignIn, readSignIn, type SignInRequest } from './sign-in.js';

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

function findUser(
  { users }: MockState,
  { tenant }: SignInRequest,
  email: string,
): MockUser | undefined {
  return users.find((one) => one.tenant === tenant.name && one.email === email);
}

/** Serves the page on which a user signs in, and receives its form. */
export function serveSignIn(
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
  const user = findUser(store.state, request, sent.get('email') ?? '');
  const isRight = user !== undefined && user.password === sent.get('password') && !user.isDisabled;
  if (!isRight) return form(401, 'The e-mail address or the password is wrong.');
  return redirect(acceptSignIn(store, request, user));
}
