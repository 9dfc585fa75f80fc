import { describe, expect, it } from 'vitest';
import { startOAuthLogin } from '../../src/observed/oauth/api-login.js';
import { finishOAuth2Login, startOAuth2Login } from '../../src/observed/oauth/page-login.js';
import { renewOAuth } from '../../src/observed/oauth/renew-oauth.js';
import { revokeSession } from '../../src/observed/oauth/revoke-session.js';
import { memoryStore, settle } from '../sessions/support.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';
import { REDIRECT } from './support.js';

const BASE = 'https://api.example.com';
const TOKENS = { access_token: 'new-token', refresh_token: 'new-refresh' };
const LOGIN = { accessToken: 'login-token', userId: 'ada' };
const SIGNED_OUT = { accessToken: 'old-token', refreshToken: 'old-refresh' };

const pathOf = ({ url }: { url: string }) => new URL(url).pathname;
const isUs = ({ init }: { init: RequestInit }) => new Headers(init.headers).get('x-us-env');

/** The tokens of a session to renew. */
function held(region: 'us' | 'global', kind: string, signal = new AbortController().signal) {
  let taken = 0;
  return {
    session: { region, kind, signal, takeRefreshToken: async () => `refresh-${++taken}` },
    taken: () => taken,
  };
}

/** Starts a login with e-mail and password at a service that returns the state it was sent. */
async function startApi(region: 'us' | 'global', hang = false) {
  let state = '';
  const requests: { url: string; init: RequestInit }[] = [];
  const clock = new FakeClock();
  const client = clientFor(BASE, {
    retry: false,
    timeout: 2_000,
    clock,
    region: region === 'us' ? 'global' : 'us',
    fetch: async (url, init) => {
      requests.push({ url, init });
      const path = new URL(url).pathname;
      if (path.endsWith('/initiate')) state = new URL(url).searchParams.get('state') ?? '';
      if (path.endsWith('/initiate')) return json({ token: 'the-login' });
      if (path.endsWith('/authorize')) return json({ code: 'the-code', state });
      return hang ? new Promise<never>(() => {}) : json(TOKENS);
    },
  });
  const login = await startOAuthLogin(client, { clientId: 'c', redirectUri: REDIRECT, region });
  return { login, requests, clock };
}

async function startPage() {
  const store = memoryStore();
  const page = { baseUrl: BASE, clientId: 'c', redirectUri: REDIRECT, store };
  const { url } = await startOAuth2Login(page);
  const state = new URL(url).searchParams.get('state');
  return { store, redirect: `${REDIRECT}?code=the-code&state=${state}` };
}

describe.each([
  ['us', 'global', 'true'],
  ['global', 'us', null],
] as const)('for a user of the region %s, a client of the region %s', (region, other, header) => {
  const clientOf = (fetch: ReturnType<typeof scriptedFetch>['fetch']) =>
    clientFor(BASE, { fetch, retry: false, region: other });

  it('sends every request of a login with e-mail and password there', async () => {
    const { login, requests } = await startApi(region);
    await login.finish(LOGIN);
    expect(requests.map(pathOf)).toEqual([
      '/v1/auth/oauth/authorize/initiate',
      '/v1/auth/oauth/authorize',
      '/v1/auth/oauth/token',
    ]);
    expect(requests.map(isUs)).toEqual([header, header, header]);
  });

  it.each([
    ['oauth', '/v1/auth/oauth/token'],
    ['oauth2', '/v1/auth/oauth2/token'],
  ])('sends the check and the refresh of %s there', async (kind, path) => {
    const { fetch, requests } = scriptedFetch(json(TOKENS));
    await renewOAuth(clientOf(fetch), { checkConnection: true })(held(region, kind).session);
    expect(requests.map(pathOf)).toEqual(['/v1/auth/settings', path]);
    expect(requests.map(isUs)).toEqual([header, header]);
  });

  it.each([
    ['oauth', ['/v1/auth/oauth/revoke']],
    ['oauth2', ['/v1/auth/oauth2/revoke', '/v1/auth/oauth2/revoke']],
    [undefined, ['/v1/auth/logout']],
  ])('revokes the tokens of %s there', async (kind, paths) => {
    const { fetch, requests } = scriptedFetch(json({ success: true }));
    await revokeSession(clientOf(fetch))({ ...SIGNED_OUT, region, kind });
    expect(requests.map(pathOf)).toEqual(paths);
    expect(requests.map(isUs)).toEqual(paths.map(() => header));
  });
});

describe('a grant is waited for 30 seconds, whatever the time limit of the client', () => {
  const hanging = () => new Promise<never>(() => {});
  const client = () =>
    clientFor(BASE, { fetch: hanging, retry: false, timeout: 2_000, clock: new FakeClock() });
  const late = { code: 'timeout', timeoutMs: 30_000 };

  it('in a login with e-mail and password', async () => {
    const { login } = await startApi('global', true);
    expect(await rejection(login.finish(LOGIN))).toMatchObject(late);
  });

  it('in a login on the sign-in page', async () => {
    const { store, redirect } = await startPage();
    const finished = finishOAuth2Login(client(), redirect, { store, region: 'global' });
    expect(await rejection(finished)).toMatchObject(late);
  });

  it.each(['oauth', 'oauth2'])('in a refresh of %s', async (kind) => {
    const renew = renewOAuth(client(), { checkConnection: false });
    expect(await rejection(renew(held('global', kind).session))).toMatchObject(late);
  });
});

describe('the connection check before a refresh', () => {
  it.each([500, 502, 503])('is sent once, and a %i keeps the refresh token', async (status) => {
    const { fetch, requests } = scriptedFetch(json({ message: 'down' }, status));
    const { session, taken } = held('global', 'oauth');
    const renew = renewOAuth(clientFor(BASE, { fetch }), { checkConnection: true });
    expect(await rejection(renew(session))).toMatchObject({ status });
    expect(requests.map(pathOf)).toEqual(['/v1/auth/settings']);
    expect(taken()).toBe(0);
  });

  it('stops with the session, which keeps the refresh token', async () => {
    const controller = new AbortController();
    const { fetch, requests } = scriptedFetch(() => {
      controller.abort(new Error('renewTimeout'));
      return new Promise<never>(() => {});
    });
    const { session, taken } = held('global', 'oauth', controller.signal);
    const renew = renewOAuth(clientFor(BASE, { fetch }), { checkConnection: true });
    expect(await rejection(renew(session))).toMatchObject({ message: 'renewTimeout' });
    expect(requests).toHaveLength(1);
    expect(taken()).toBe(0);
  });
});

describe('a check of the app before a refresh', () => {
  it.each([
    ['nothing', () => undefined],
    ['nothing in the end', async () => undefined],
    ['true', () => true],
    ['the state of the network', () => ({ isConnected: true })],
  ])('that returns %s lets the refresh token be sent', async (_, checkConnection) => {
    const { fetch, requests } = scriptedFetch(json(TOKENS));
    const { session, taken } = held('global', 'oauth');
    const tokens = await renewOAuth(clientFor(BASE, { fetch }), { checkConnection })(session);
    expect(tokens?.accessToken).toBe(TOKENS.access_token);
    expect(requests.map(pathOf)).toEqual(['/v1/auth/oauth/token']);
    expect(taken()).toBe(1);
  });
});

describe.each(['oauth', 'oauth2', undefined])('revoking the tokens of %s', (kind) => {
  it.each([400, 403, 404, 429])('reports a %i, because they may still be valid', async (status) => {
    const { fetch } = scriptedFetch(json({ message: 'No' }, status));
    const revoke = revokeSession(clientFor(BASE, { fetch, retry: false }));
    const revoked = rejection(revoke({ ...SIGNED_OUT, region: 'global', kind }));
    expect(await revoked).toMatchObject({ status });
  });

  it('succeeds after a 401 only where the token itself was the credential', async () => {
    const { fetch } = scriptedFetch(json({ message: 'jwt expired' }, 401));
    const revoke = revokeSession(clientFor(BASE, { fetch, retry: false }));
    const revoked = revoke({ ...SIGNED_OUT, region: 'global', kind });
    if (kind === 'oauth2') expect(await rejection(revoked)).toMatchObject({ status: 401 });
    else await revoked;
  });
});

it('a login with e-mail and password is finished once, also by two calls at a time', async () => {
  const { login, requests } = await startApi('global');
  const [one, other] = await Promise.allSettled([login.finish(LOGIN), login.finish(LOGIN)]);
  expect(one).toMatchObject({ status: 'fulfilled' });
  expect(other).toMatchObject({ status: 'rejected', reason: { option: 'finish' } });
  expect(requests).toHaveLength(3);
});

it('revoking the tokens of oauth2 waits for both requests, also when the first one fails', async () => {
  const ended: (() => void)[] = [];
  const fetch = (_: string, { body }: RequestInit) =>
    new Promise<Response>((resolve) => {
      const isAccess = String(body).includes('access_token');
      ended.push(() =>
        resolve(isAccess ? json({ message: 'down' }, 500) : json({ success: true })),
      );
    });
  const revoke = revokeSession(clientFor(BASE, { fetch, retry: false }));
  let isSettled = false;
  const revoked = rejection(revoke({ ...SIGNED_OUT, region: 'global', kind: 'oauth2' })).finally(
    () => {
      isSettled = true;
    },
  );
  await settle();
  expect(ended).toHaveLength(2);
  ended[0]?.();
  await settle();
  expect(isSettled).toBe(false);
  ended[1]?.();
  expect(await revoked).toMatchObject({ status: 500 });
});
