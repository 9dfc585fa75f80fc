import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { startOAuthLogin } from '../../src/observed/oauth/api-login.js';
import {
  finishOAuth2Login,
  type OAuth2RedirectOptions,
  parseRedirect,
  startOAuth2Login,
} from '../../src/observed/oauth/page-login.js';
import { sessionTokens } from '../../src/observed/oauth/session-tokens.js';
import { eventually, holds } from '../properties/runs.js';
import { memoryStore } from '../sessions/support.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { setUpApp } from './oauth-session-support.js';
import { REDIRECT } from './support.js';

async function startedApi() {
  const app = await setUpApp();
  const { clientKey: clientId } = app.mock.credentials;
  const login = await app.platform.auth.login({ email: app.ada.email, password: app.ada.password });
  const before = app.mock.requests.length;
  const oauth = await startOAuthLogin(app.platform, { clientId, redirectUri: REDIRECT });
  const operations = () => app.mock.requests.slice(before).map(({ operation }) => operation);
  return { ...app, login, oauth, operations };
}

describe('a login with e-mail and password that becomes an OAuth session', () => {
  it('returns tokens with lifetimes in milliseconds, and the user', async () => {
    const { oauth, login, ada } = await startedApi();
    expect(await oauth.finish(login)).toMatchObject({
      kind: 'oauth',
      userId: ada.id,
      expiresIn: 21_600_000,
      refreshExpiresIn: 15_897_600_000,
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
    });
  });

  it('stops when state is not the one that was sent, and uses neither code nor login token', async () => {
    const { oauth, login, operations, setIntercept } = await startedApi();
    setIntercept(async (path, send) => {
      const response = await send();
      if (!path.endsWith('/authorize')) return response;
      return json({ ...(await response.json()), state: 'state-of-somebody-else' });
    });
    expect(await rejection(oauth.finish(login))).toMatchObject({
      name: 'OAuthError',
      code: 'oauth_state_mismatch',
      outcome: 'not_sent',
    });
    expect(operations()).toEqual(['auth.oauth.initiate', 'auth.oauth.authorize']);
  });

  it('can be finished only once', async () => {
    const { oauth, login, operations } = await startedApi();
    await oauth.finish(login);
    const sent = operations().length;
    expect(await rejection(oauth.finish(login))).toMatchObject({ option: 'finish' });
    expect(operations()).toHaveLength(sent);
  });

  it.each([
    ['ended in onboarding', { phase: 'PHONE_NUMBER', accessToken: 'token' }],
    ['has no token', { accessToken: null }],
  ])('sends nothing for a login that %s', async (_, login) => {
    const { oauth, operations } = await startedApi();
    expect(await rejection(oauth.finish(login))).toMatchObject({ option: 'login' });
    expect(operations()).toEqual(['auth.oauth.initiate']);
  });

  it.each([400, 401, 403])('reports a code that the service refuses with %i', async (status) => {
    const { oauth, login, setIntercept } = await startedApi();
    setIntercept(async (path, send) =>
      path.endsWith('/token') ? json({ error: 'invalid_grant' }, status) : send(),
    );
    expect(await rejection(oauth.finish(login))).toMatchObject({
      code: 'oauth_refused',
      outcome: 'rejected',
      cause: { status },
    });
  });

  it('does not renew anything when the service refuses the login token', async () => {
    const { oauth, operations } = await startedApi();
    expect(await rejection(oauth.finish({ accessToken: 'stale' }))).toMatchObject({ status: 401 });
    expect(operations()).toEqual(['auth.oauth.initiate', 'auth.oauth.authorize']);
  });

  it('is never printed', async () => {
    const { oauth, login } = await startedApi();
    const tokens = await oauth.finish(login);
    const shown = inspect([oauth, tokens], { depth: 9, showHidden: true, getters: true });
    for (const secret of [tokens.accessToken, tokens.refreshToken]) {
      expect(shown + JSON.stringify([oauth, tokens])).not.toContain(secret);
    }
  });
});

async function startedPage(options: Partial<OAuth2RedirectOptions> = {}) {
  const app = await setUpApp();
  const store = memoryStore();
  const { clientKey: clientId } = app.mock.credentials;
  const { baseUrl } = app.mock;
  const { url } = await startOAuth2Login({ baseUrl, clientId, redirectUri: REDIRECT, store });
  const finish = (redirect: string) =>
    finishOAuth2Login(app.platform, redirect, { store, region: 'global', ...options });
  const exchanges = () =>
    app.mock.requests.filter(({ operation }) => operation === 'auth.oauth2.exchangeCode');
  return { ...app, login: store, url, finish, exchanges };
}

const changed = (redirect: string, name: string, value: string | undefined) => {
  const url = new URL(redirect);
  if (value === undefined) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  return url.href;
};

describe('a login on the sign-in page', () => {
  it('opens it with S256, state and the scope for a refresh token', async () => {
    const { url } = await startedPage();
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'openid profile email offline_access',
      prompt: 'consent',
      state: expect.stringMatching(/^.{22}$/),
    });
  });

  it('ends with tokens and the region of app_id, and forgets the login before it sends the code', async () => {
    const seen: unknown[] = [];
    const { finish, url, observed, ada, login, setIntercept } = await startedPage({
      region: (appId) => {
        seen.push(appId);
        return 'global';
      },
    });
    setIntercept((_, send) => {
      expect(login.entries.size).toBe(0);
      return send();
    });
    const { tokens, region } = await finish(observed.signIn(url, ada));
    expect(region).toBe('global');
    expect(tokens).toMatchObject({ kind: 'oauth2', refreshExpiresIn: undefined });
    expect(tokens.refreshToken).toBeTypeOf('string');
    expect(seen).toEqual([expect.any(String)]);
  });

  it('exchanges the code in the region that the caller derives', async () => {
    const { url, observed, ada, login, mock } = await startedPage();
    const { fetch, requests } = scriptedFetch(json({ access_token: 'a', expires_in: 60 }));
    const client = clientFor(mock.baseUrl, { fetch });
    const redirect = observed.signIn(url, ada);
    const { tokens } = await finishOAuth2Login(client, redirect, {
      store: login,
      region: () => 'us',
    });
    const headers = new Headers(requests[0]?.init.headers);
    expect(headers.get('x-us-env')).toBe('true');
    expect(headers.get('authorization')).toBeNull();
    expect(tokens).toMatchObject({ refreshToken: undefined, expiresIn: 60_000 });
  });

  it.each([
    ['another state', (url: string) => changed(url, 'state', 'other'), 'oauth_state_mismatch'],
    ['no code', (url: string) => changed(url, 'code', undefined), 'oauth_redirect_invalid'],
    ['two codes', (url: string) => `${url}&code=2`, 'oauth_redirect_invalid'],
    ['broken escapes', (url: string) => `${url}&app_id=%E0%A4%A`, 'oauth_redirect_invalid'],
  ])('stops at a redirect with %s, and sends nothing', async (_, change, code) => {
    const { finish, url, observed, ada, exchanges } = await startedPage();
    const error = await rejection(finish(change(observed.signIn(url, ada))));
    expect(error).toMatchObject({ name: 'OAuthError', code, outcome: 'not_sent' });
    expect(exchanges()).toHaveLength(0);
  });

  it('stays open after a forged redirect', async () => {
    const { finish, url, observed, ada } = await startedPage();
    await rejection(finish(`${REDIRECT}?state=other&error=access_denied`));
    await rejection(finish(`${REDIRECT}?error=access_denied`));
    expect((await finish(observed.signIn(url, ada))).tokens.kind).toBe('oauth2');
  });

  it('reports that the user declined', async () => {
    const { finish, url, observed, exchanges, login } = await startedPage();
    expect(await rejection(finish(observed.declineSignIn(url)))).toMatchObject({
      code: 'oauth_redirect_error',
      redirectError: 'access_denied',
    });
    expect(exchanges()).toHaveLength(0);
    // The verifier belongs to a login that has ended.
    expect(login.entries.size).toBe(0);
  });

  it('accepts a redirect without state, unless requireState is set', async () => {
    for (const requireState of [false, true]) {
      const { finish, url, observed, ada } = await startedPage({ requireState });
      const ended = finish(changed(observed.signIn(url, ada), 'state', undefined));
      if (requireState)
        expect(await rejection(ended)).toMatchObject({ code: 'oauth_state_mismatch' });
      else expect((await ended).tokens.kind).toBe('oauth2');
    }
  });

  it('exchanges a code once', async () => {
    const { finish, url, observed, ada, exchanges } = await startedPage();
    const redirect = observed.signIn(url, ada);
    await finish(redirect);
    expect(await rejection(finish(redirect))).toMatchObject({ code: 'oauth_redirect_invalid' });
    expect(exchanges()).toHaveLength(1);
  });

  it('sends nothing and keeps the login when there is no region for the app_id', async () => {
    let region: unknown = 'eu';
    const { finish, url, observed, ada, exchanges } = await startedPage({
      region: () => region as 'us',
    });
    const redirect = observed.signIn(url, ada);
    expect(await rejection(finish(redirect))).toMatchObject({ option: 'region' });
    expect(exchanges()).toHaveLength(0);
    region = 'global';
    expect((await finish(redirect)).region).toBe('global');
  });

  it.each([
    ['not JSON', () => '{'],
    ['without a verifier', (kept: object) => JSON.stringify({ ...kept, verifier: undefined })],
    ['of another version', (kept: object) => JSON.stringify({ ...kept, v: 2 })],
    ['absent', undefined],
  ])('stops when the kept login is %s', async (_, change) => {
    const { finish, url, observed, ada, login } = await startedPage();
    const [[key, text] = ['', '']] = login.entries;
    if (change === undefined) login.entries.clear();
    else login.entries.set(key, change(JSON.parse(text)));
    const error = await rejection(finish(observed.signIn(url, ada)));
    expect(error).toMatchObject({ code: 'oauth_redirect_invalid' });
  });

  it('keeps at most 200 characters of a description', async () => {
    const { finish, url } = await startedPage();
    const state = new URL(url).searchParams.get('state') ?? '';
    const description = `${'a'.repeat(199)}bc`;
    const redirect = `${REDIRECT}?state=${state}&error=x&error_description=${description}`;
    expect(await rejection(finish(redirect))).toMatchObject({
      redirectDescription: `${'a'.repeat(199)}b`,
    });
  });

  it.each([
    [60, 'x'.repeat(60)],
    [61, undefined],
  ])('keeps an error of at most 60 characters: %i', async (length, redirectError) => {
    const { finish, url } = await startedPage();
    const state = new URL(url).searchParams.get('state') ?? '';
    const redirect = `${REDIRECT}?state=${state}&error=${'x'.repeat(length)}`;
    const error = await rejection(finish(redirect));
    expect(error).toMatchObject({ code: 'oauth_redirect_error', redirectError });
  });

  it('keeps code, state and description out of the error', async () => {
    const { finish, url } = await startedPage();
    const state = new URL(url).searchParams.get('state') ?? '';
    const redirect = `${REDIRECT}?state=${state}&error=a%20b&error_description=x%0Ay&code=secret-code`;
    const error = await rejection(finish(redirect));
    expect(error).toMatchObject({ redirectError: undefined, redirectDescription: 'x y' });
    const shown = inspect(error, { showHidden: true }) + JSON.stringify(error);
    expect(shown).not.toContain(state);
    expect(shown).not.toContain('secret-code');
  });
});

describe('a redirect', () => {
  it('is read as URLSearchParams reads it, for any values', () => {
    holds([fc.string(), fc.string(), fc.string()], (code, state, appId) => {
      const query = new URLSearchParams({ code, state, app_id: appId, other: 'x' });
      const url = `app.example:/back?${query}#code=of-the-fragment`;
      expect(parseRedirect(url)).toEqual({
        code: query.get('code'),
        state: query.get('state'),
        app_id: query.get('app_id'),
      });
    });
  });

  it.each(['app:/back', 'app:/back?', 'app:/back#code=1', ''])('of %j holds no fields', (url) => {
    expect(parseRedirect(url)).toEqual({});
  });

  it('that is not a text is refused', () => {
    expect(() => parseRedirect(undefined)).toThrow(/not the end of a login/);
  });
});

describe('lifetimes', () => {
  it.each([
    null,
    undefined,
    0,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    'soon',
  ])('of %s are unknown', (seconds) => {
    const response = {
      access_token: 'a',
      expires_in: seconds,
      refresh_token_expires_in: seconds,
    };
    expect(sessionTokens(response, 'oauth')).toMatchObject({
      expiresIn: undefined,
      refreshExpiresIn: undefined,
    });
  });

  it('are turned from seconds into milliseconds', async () => {
    await eventually([fc.integer({ min: 1, max: 2 ** 31 })], async (seconds) => {
      const response = { access_token: 'a', expires_in: seconds };
      expect(sessionTokens(response, 'oauth2').expiresIn).toBe(seconds * 1000);
    });
  });
});
