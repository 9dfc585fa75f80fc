import { inspect } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { isOAuthError } from '../../src/observed/oauth/oauth-error.js';
import { revokeSession } from '../../src/observed/oauth/revoke-session.js';
import { KEY, settle } from '../sessions/support.js';
import { json, rejection } from '../support/clients.js';
import {
  type App,
  HOUR_MS,
  type Interception,
  logInWithApi,
  logInWithPage,
  setUpApp,
} from './oauth-session-support.js';

const TOKEN_PATHS = ['/v1/auth/oauth/token', '/v1/auth/oauth2/token'];
const FAMILIES = [
  ['first', 'oauth', logInWithApi],
  ['second', 'oauth2', logInWithPage],
] as const;

/** Changes the behaviour of refreshes only. */
const onRefresh =
  (handle: (send: () => Promise<Response>) => Promise<Response>): Interception =>
  (path, send) =>
    TOKEN_PATHS.includes(path) ? handle(send) : send();

const networkError = () => Promise.reject(new TypeError('Network request failed'));

function clientOf({ platform: client, sessions }: App) {
  const { session } = sessions.getSnapshot();
  if (session === undefined) throw new Error('nobody is signed in');
  return client.withAccessToken(session.accessToken);
}

describe.each(FAMILIES)('an OAuth session of the %s family', (_, kind, logIn) => {
  it('renews both of its tokens five minutes before the access token expires, and continues', async () => {
    const app = await setUpApp();
    await logIn(app);
    const userClient = clientOf(app);
    await userClient.card.status();
    app.advance(6 * HOUR_MS - 5 * 60_000);
    const before = JSON.parse(app.store.entries.get(KEY) ?? '');
    expect((await userClient.card.status()).status).toBe('ACTIVE');
    const after = JSON.parse(app.store.entries.get(KEY) ?? '');
    expect(after).toMatchObject({ kind, expiresAt: app.clock.now() + 6 * HOUR_MS });
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).not.toBe(before.refreshToken);
    expect(app.sentRefreshTokens()).toEqual([before.refreshToken]);
    app.advance(6 * HOUR_MS);
    expect((await userClient.card.status()).status).toBe('ACTIVE');
    expect(new Set(app.sentRefreshTokens()).size).toBe(2);
  });

  it.each([
    ['text as its lifetime', { expires_in: '3600', refresh_token_expires_in: '86400' }, 3_600_000],
    ['no lifetime', { expires_in: undefined }, 6 * HOUR_MS],
    ['null as its lifetime', { expires_in: null }, 6 * HOUR_MS],
    ['a lifetime that cannot be', { expires_in: 'soon' }, 6 * HOUR_MS],
  ])('survives a refresh with %s', async (_name, change, lifetime) => {
    const app = await setUpApp();
    await logIn(app);
    app.setIntercept(
      onRefresh(async (send) => json({ ...((await (await send()).json()) as object), ...change })),
    );
    app.advance(6 * HOUR_MS);
    expect((await clientOf(app).card.status()).status).toBe('ACTIVE');
    const record = JSON.parse(app.store.entries.get(KEY) ?? '');
    expect(record.expiresAt).toBe(app.clock.now() + lifetime);
  });

  it.each([
    undefined,
    null,
    '',
    ' ',
    7,
  ])('keeps its refresh token when a refresh returns %j', async (given) => {
    const app = await setUpApp();
    await logIn(app);
    const before = JSON.parse(app.store.entries.get(KEY) ?? '');
    app.setIntercept(
      onRefresh(async (send) =>
        json({ ...((await (await send()).json()) as object), refresh_token: given }),
      ),
    );
    app.advance(6 * HOUR_MS);
    expect((await clientOf(app).card.status()).status).toBe('ACTIVE');
    const after = JSON.parse(app.store.entries.get(KEY) ?? '');
    expect(after.refreshToken).toBe(before.refreshToken);
    expect(after.accessToken).not.toBe(before.accessToken);
  });

  it('sends one refresh for a hundred calls', async () => {
    const app = await setUpApp();
    await logIn(app);
    app.advance(6 * HOUR_MS);
    const userClient = clientOf(app);
    await Promise.all(Array.from({ length: 100 }, () => userClient.card.status()));
    expect(app.sentRefreshTokens()).toHaveLength(1);
  });

  it('refreshes without a bearer token, and in its own region', async () => {
    const app = await setUpApp();
    await logIn(app);
    app.advance(6 * HOUR_MS);
    await clientOf(app).card.status();
    const { headers } = app.mock.requests.only({ operation: `auth.${kind}.refresh` });
    expect(headers).not.toHaveProperty('authorization');
    expect(headers).not.toHaveProperty('x-us-env');
  });

  it.each([400, 401, 403])('ends when the service refuses the refresh with %i', async (status) => {
    for (const response of [
      json({ error: 'invalid_grant', error_description: 'gone' }, status),
      new Response('Refused', { status, headers: { 'content-type': 'text/plain' } }),
    ]) {
      const app = await setUpApp();
      await logIn(app);
      app.advance(6 * HOUR_MS);
      app.setIntercept(onRefresh(async () => response));
      const error = await rejection(clientOf(app).card.status());
      expect(error).toMatchObject({ code: 'session_ended', reason: 'rejected' });
      expect(app.sessions.getSnapshot()).toMatchObject({ reason: 'rejected' });
      expect(app.store.entries.get(KEY)).not.toContain('refreshToken');
    }
  });

  it('ends when the service has ended it', async () => {
    const app = await setUpApp();
    await logIn(app);
    app.observed.endSessions(app.ada);
    expect(await rejection(clientOf(app).card.status())).toMatchObject({ reason: 'rejected' });
  });

  it.each([500, 503])('survives a %i of the service, and is refreshed later', async (status) => {
    const app = await setUpApp();
    await logIn(app);
    app.advance(6 * HOUR_MS);
    app.setIntercept(onRefresh(async () => json({ message: 'later' }, status)));
    expect(await rejection(clientOf(app).card.status())).toMatchObject({
      code: 'session_not_renewed',
      outcome: 'not_sent',
    });
    expect(app.sessions.getSnapshot().status).toBe('signed_in');
    app.setIntercept((__, send) => send());
    expect((await clientOf(app).card.status()).status).toBe('ACTIVE');
  });

  it.each([
    [400, 'text/plain', '<p>Blocked</p>'],
    [401, 'application/octet-stream', '<p>Blocked</p>'],
    [403, 'text/html; charset=utf-8', '<p>Blocked</p>'],
    [403, 'application/xhtml+xml', '<p>Blocked</p>'],
    [403, 'text/plain', ''],
  ])('survives a %i of type %s, which something between the client and the service has sent: %j', async (status, type, body) => {
    const app = await setUpApp();
    await logIn(app);
    app.advance(6 * HOUR_MS);
    const headers = { 'content-type': type };
    app.setIntercept(onRefresh(async () => new Response(body, { status, headers })));
    const error = await rejection(clientOf(app).card.status());
    expect(error).toMatchObject({ code: 'session_not_renewed' });
    expect(app.sessions.getSnapshot().status).toBe('signed_in');
  });

  it.each([
    ['lost', networkError],
    ['the 502 of a gateway', async () => json({ message: 'Internal server error' }, 502)],
    ['the 504 of a gateway', async () => json({ message: 'Endpoint request timed out' }, 504)],
    ['the 524 of a gateway', async () => new Response('error code: 524', { status: 524 })],
    ['the text of a 503', async () => new Response('upstream connect error', { status: 503 })],
    ['an empty 503', async () => new Response(null, { status: 503 })],
  ])('never sends a refresh token again whose response was %s', async (_, response) => {
    const app = await setUpApp();
    await logIn(app);
    app.advance(6 * HOUR_MS - 60_000);
    app.setIntercept(
      onRefresh(async (send) => {
        await send();
        return response();
      }),
    );
    expect((await clientOf(app).card.status()).status).toBe('ACTIVE');
    app.setIntercept((__, send) => send());
    app.advance(59_000);
    expect((await clientOf(app).card.status()).status).toBe('ACTIVE');
    app.advance(1_000);
    expect(await rejection(clientOf(app).card.status())).toMatchObject({
      code: 'session_ended',
      reason: 'renewal_unknown',
    });
    expect(app.sentRefreshTokens()).toHaveLength(1);
  });

  it('survives a phone without a network, because nothing is sent before the service responds', async () => {
    const app = await setUpApp({}, { checkConnection: true });
    await logIn(app);
    app.advance(6 * HOUR_MS);
    app.setIntercept(networkError);
    for (let call = 0; call < 3; call++) {
      expect(await rejection(clientOf(app).card.status())).toMatchObject({
        code: 'session_not_renewed',
      });
      app.advance(120_000);
    }
    expect(app.sessions.getSnapshot().status).toBe('signed_in');
    app.setIntercept((__, send) => send());
    expect((await clientOf(app).card.status()).status).toBe('ACTIVE');
    expect(app.sentRefreshTokens()).toHaveLength(1);
  });

  it('is revoked by the call of its family after it has ended on the device', async () => {
    const app = await setUpApp();
    const session = await logIn(app);
    const token = String(await session.accessToken({ reason: 'request' }));
    await app.sessions.signOut(async (tokens) => {
      expect(app.sessions.getSnapshot()).toMatchObject({ reason: 'signed_out' });
      await revokeSession(app.platform)(tokens);
    });
    const revoked = app.mock.requests.filter(({ operation }) => operation?.endsWith('revoke'));
    expect(revoked.map(({ operation }) => operation)).toEqual(
      kind === 'oauth' ? ['auth.oauth.revoke'] : ['auth.oauth2.revoke', 'auth.oauth2.revoke'],
    );
    const again = app.platform.withAccessToken(token).card.status();
    expect(await rejection(again)).toMatchObject({ code: 'not_authenticated' });
    expect(app.sentRefreshTokens()).toEqual([]);
  });

  it('keeps its tokens out of every printout', async () => {
    const app = await setUpApp();
    const session = await logIn(app);
    const stored = JSON.parse(app.store.entries.get(KEY) ?? '');
    const shown = [session, app.sessions, app.sessions.getSnapshot()]
      .map(
        (one) => inspect(one, { depth: 9, showHidden: true, getters: true }) + JSON.stringify(one),
      )
      .join();
    expect(shown).not.toContain(stored.accessToken);
    expect(shown).not.toContain(stored.refreshToken);
  });
});

describe('the connection check before a refresh', () => {
  let app: App;
  beforeAll(async () => {
    app = await setUpApp();
  });

  it('is not sent on a server, where the adapter knows whether a request left', async () => {
    await logInWithApi(app);
    app.advance(6 * HOUR_MS);
    await clientOf(app).card.status();
    expect(app.mock.requests.filter(({ path }) => path === '/v1/auth/settings')).toHaveLength(0);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('offline'))],
    ['returns false', () => false],
  ])('of the app keeps the session when it %s', async (_, checkConnection) => {
    const own = await setUpApp({}, { checkConnection });
    await logInWithApi(own);
    own.advance(6 * HOUR_MS);
    expect(await rejection(clientOf(own).card.status())).toMatchObject({
      code: 'session_not_renewed',
    });
    expect(own.sessions.getSnapshot().status).toBe('signed_in');
    expect(own.sentRefreshTokens()).toEqual([]);
  });

  it.each([
    [404, 1],
    [503, 0],
  ])('that ends with a %i is followed by %i refreshes', async (status, count) => {
    const own = await setUpApp({}, { checkConnection: true });
    await logInWithApi(own);
    own.advance(6 * HOUR_MS);
    own.setIntercept(async (path, send) =>
      path === '/v1/auth/settings' ? json({ message: 'no' }, status) : send(),
    );
    await clientOf(own)
      .card.status()
      .catch(() => {});
    expect(own.sentRefreshTokens()).toHaveLength(count);
  });
});

describe('a session that is signed out', () => {
  it('logs a plain login out with auth.logout', async () => {
    const app = await setUpApp();
    const login = await app.platform.auth.login({
      email: app.ada.email,
      password: app.ada.password,
    });
    if (login.phase) throw new Error('onboarding');
    await app.sessions.signIn(login, { region: 'global' });
    await app.sessions.signOut(revokeSession(app.platform));
    expect(app.mock.requests.at(-1)?.operation).toBe('auth.logout');
  });

  it('counts a token that the service no longer accepts as revoked', async () => {
    const app = await setUpApp();
    await logInWithApi(app);
    app.observed.endSessions(app.ada);
    await app.sessions.signOut(revokeSession(app.platform));
    expect(app.sessions.getSnapshot()).toMatchObject({ reason: 'signed_out' });
  });

  it('is signed out on the device when the service cannot be reached, and reports it', async () => {
    const app = await setUpApp();
    await logInWithPage(app);
    app.setIntercept(networkError);
    const signedOut = app.sessions.signOut(revokeSession(app.platform));
    expect(await rejection(signedOut)).toMatchObject({ code: 'connection_failed' });
    expect(app.sessions.getSnapshot()).toMatchObject({ reason: 'signed_out' });
    await settle();
    expect(app.store.entries.get(KEY)).not.toContain('refreshToken');
  });
});

describe('isOAuthError', () => {
  it('recognises OAuth errors and no others', () => {
    expect(isOAuthError(new Error('oauth_refused'))).toBe(false);
  });
});
