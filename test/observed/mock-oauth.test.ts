import { describe, expect, it } from 'vitest';
import type { MockPlatform } from '../../src/testing/index.js';
import {
  authorize,
  CHALLENGE,
  exchangeBody,
  initiateQuery,
  pageUrl,
  REDIRECT,
  sender,
  setUpObserved,
  VERIFIER,
} from './support.js';

const INITIATE = 'GET /v1/auth/oauth/authorize/initiate';
const AUTHORIZE = 'POST /v1/auth/oauth/authorize';
const TOKEN = 'POST /v1/auth/oauth/token';
const TOKEN_2 = 'POST /v1/auth/oauth2/token';

const refreshBody = (token: unknown) => ({ grant_type: 'refresh_token', refresh_token: token });

describe('the first OAuth family of the mock platform', () => {
  it('leads from a login to tokens that work, and to new ones', async () => {
    const { mock, ada, send } = await setUpObserved({ card: 'ACTIVE' });
    const started = await send(INITIATE, { query: initiateQuery(mock) });
    expect(started.status).toBe(200);
    expect(String(started.body['token']).split('.')).toHaveLength(3);
    const authorized = await send(AUTHORIZE, {
      body: { token: started.body['token'] },
      token: mock.accessTokenFor(ada),
    });
    const { code, state, url } = authorized.body;
    expect(state).toBe('state-12345678');
    expect(url).toBe(`${REDIRECT}?code=${code}&state=state-12345678`);
    const exchanged = await send(TOKEN, { body: exchangeBody(code) });
    expect(exchanged).toMatchObject({
      status: 200,
      body: { token_type: 'Bearer', expires_in: 21_600, refresh_token_expires_in: 15_897_600 },
    });
    const first = exchanged.body['refresh_token'];
    const card = await send('GET /v1/card/status', {
      token: String(exchanged.body['access_token']),
    });
    expect(card.status).toBe(200);
    const refreshed = await send(TOKEN, { body: refreshBody(first) });
    expect(refreshed.status).toBe(200);
    expect(refreshed.body['refresh_token']).not.toBe(first);
    expect(refreshed.body['access_token']).not.toBe(exchanged.body['access_token']);
    expect(mock.requests.map(({ operation }) => operation)).toEqual([
      'auth.oauth.initiate',
      'auth.oauth.authorize',
      'auth.oauth.exchangeCode',
      'card.status',
      'auth.oauth.refresh',
    ]);
  });

  it.each(
    Object.keys({
      client_id: 1,
      redirect_uri: 1,
      response_type: 1,
      state: 1,
      code_challenge: 1,
      code_challenge_method: 1,
    }),
  )('refuses to initiate without %s', async (name) => {
    const { mock, send } = await setUpObserved();
    const { [name]: _left, ...query } = initiateQuery(mock);
    const { status, body } = await send(INITIATE, { query });
    expect(status).toBe(400);
    expect(body).toEqual({ error: 'invalid_request', error_description: `${name} is required` });
  });

  it('refuses to initiate for a client that it does not know', async () => {
    const { mock, send } = await setUpObserved();
    const query = { ...initiateQuery(mock), client_id: 'other' };
    expect(await send(INITIATE, { query })).toMatchObject({
      status: 400,
      body: { error: 'invalid_client' },
    });
  });

  it('redirects to the hosted page when the mode is not api', async () => {
    const { mock, send } = await setUpObserved();
    const { mode: _mode, ...query } = initiateQuery(mock);
    const { status, headers } = await send(INITIATE, { query });
    expect(status).toBe(302);
    expect(headers.get('location')).toContain(`${mock.baseUrl}/oauth/login?token=`);
  });

  it('refuses the session token of initiate after ten minutes, and when it was used', async () => {
    const { mock, ada, send } = await setUpObserved();
    const fresh = async () => (await send(INITIATE, { query: initiateQuery(mock) })).body['token'];
    const late = await fresh();
    mock.advance(1);
    const inTime = await fresh();
    mock.advance(599_999);
    const token = mock.accessTokenFor(ada);
    expect((await send(AUTHORIZE, { body: { token: late }, token })).status).toBe(401);
    expect((await send(AUTHORIZE, { body: { token: inTime }, token })).status).toBe(200);
    const used = await fresh();
    expect((await send(AUTHORIZE, { body: { token: used }, token })).status).toBe(200);
    expect((await send(AUTHORIZE, { body: { token: used }, token })).status).toBe(401);
  });

  it('authorizes with the access token of a login only, not with one of OAuth', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const { body } = await send(INITIATE, { query: initiateQuery(mock) });
    const given = { body: { token: body['token'] } };
    expect((await send(AUTHORIZE, given)).status).toBe(401);
    const oauth = observed.issueTokens(ada).access_token;
    expect((await send(AUTHORIZE, { ...given, token: oauth })).status).toBe(401);
  });

  it('grants the permission of a user who had not granted it yet', async () => {
    const { mock, ada, send } = await setUpObserved({ isLinked: false, card: 'ACTIVE' });
    const token = mock.accessTokenFor(ada);
    expect((await send('GET /v1/card/status', { token })).status).toBe(403);
    expect(await authorize(mock, ada)).toBeTypeOf('string');
    expect((await send('GET /v1/card/status', { token })).status).toBe(200);
  });

  it.each([
    ['another code', { code: 'other' }],
    ['another verifier', { code_verifier: `${VERIFIER}x` }],
    ['another redirect URI', { redirect_uri: `${REDIRECT}/other` }],
  ])('refuses an exchange with %s', async (_, changes) => {
    const { mock, ada, send } = await setUpObserved();
    const body = { ...exchangeBody(await authorize(mock, ada)), ...changes };
    expect(await send(TOKEN, { body })).toMatchObject({
      status: 401,
      body: { error: 'invalid_grant', error_description: expect.any(String) },
    });
  });

  it('exchanges a code once, and only within ten minutes', async () => {
    const { mock, ada, send } = await setUpObserved();
    const used = exchangeBody(await authorize(mock, ada));
    expect((await send(TOKEN, { body: used })).status).toBe(200);
    expect((await send(TOKEN, { body: used })).status).toBe(401);
    const late = exchangeBody(await authorize(mock, ada));
    mock.advance(1);
    const inTime = exchangeBody(await authorize(mock, ada));
    mock.advance(599_999);
    expect((await send(TOKEN, { body: late })).status).toBe(401);
    expect((await send(TOKEN, { body: inTime })).status).toBe(200);
    const wronglyTried = exchangeBody(await authorize(mock, ada));
    await send(TOKEN, { body: { ...wronglyTried, code_verifier: `${VERIFIER}x` } });
    expect((await send(TOKEN, { body: wronglyTried })).status).toBe(401);
  });

  it.each([
    'code',
    'code_verifier',
    'redirect_uri',
  ])('refuses an exchange without %s', async (name) => {
    const { mock, ada, send } = await setUpObserved();
    const full: Record<string, unknown> = exchangeBody(await authorize(mock, ada));
    const { [name]: _left, ...body } = full;
    const reply = await send(TOKEN, { body });
    expect(reply).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  it('does not compare the redirect URI when that is chosen', async () => {
    const { mock, ada, send } = await setUpObserved({}, { choices: { redirectUri: 'unchecked' } });
    const body = {
      ...exchangeBody(await authorize(mock, ada)),
      redirect_uri: 'https://other.example',
    };
    expect((await send(TOKEN, { body })).status).toBe(200);
  });

  it('ends the session when a refresh token is sent again', async () => {
    const { ada, observed, send } = await setUpObserved();
    const { refresh_token: first } = observed.issueTokens(ada);
    const { body } = await send(TOKEN, { body: refreshBody(first) });
    expect((await send(TOKEN, { body: refreshBody(first) })).status).toBe(401);
    const token = String(body['access_token']);
    expect((await send('GET /v1/user', { token })).status).toBe(401);
    expect((await send(TOKEN, { body: refreshBody(body['refresh_token']) })).status).toBe(401);
  });

  it('only refuses a refresh token that is sent again when that is chosen', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    mock.state.choices.refreshTokenReuse = 'refused';
    mock.state.choices.grantRejectedStatus = 403;
    const { refresh_token: first } = observed.issueTokens(ada);
    const { body } = await send(TOKEN, { body: refreshBody(first) });
    expect((await send(TOKEN, { body: refreshBody(first) })).status).toBe(403);
    expect((await send(TOKEN, { body: refreshBody(body['refresh_token']) })).status).toBe(200);
  });

  it('rotates the refresh token although the response is lost, so that the client has an old one', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const { refresh_token: first } = observed.issueTokens(ada);
    mock.drop('auth.oauth.refresh', 'after-processing', { user: ada });
    await expect(send(TOKEN, { body: refreshBody(first) })).rejects.toThrow(TypeError);
    expect(observed.state.grants[0]?.refreshToken).not.toBe(first);
    expect((await send(TOKEN, { body: refreshBody(first) })).status).toBe(401);
  });

  it('refuses a refresh token after its lifetime, of 184 days', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const { refresh_token: late } = observed.issueTokens(ada);
    mock.advance(1);
    const { refresh_token: inTime } = observed.issueTokens(ada);
    mock.advance(184 * 86_400_000 - 1);
    expect((await send(TOKEN, { body: refreshBody(late) })).status).toBe(401);
    const refreshed = await send(TOKEN, { body: refreshBody(inTime) });
    expect(refreshed.status).toBe(200);
    // The new token has a lifetime of its own.
    mock.advance(184 * 86_400_000 - 1);
    const again = await send(TOKEN, { body: refreshBody(refreshed.body['refresh_token']) });
    expect(again.status).toBe(200);
  });

  it('shows no lifetime of the refresh token when that is chosen', async () => {
    const { ada, observed, send } = await setUpObserved(
      {},
      { choices: { refreshTokenLifetime: 'null' } },
    );
    const { refresh_token: token } = observed.issueTokens(ada);
    const { body } = await send(TOKEN, { body: refreshBody(token) });
    expect(body['refresh_token_expires_in']).toBeNull();
  });

  it('refuses the tokens of another tenant and of the other environment', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const { clientKey } = mock.tenants.add('acme');
    const { refresh_token: token } = observed.issueTokens(ada);
    const body = refreshBody(token);
    expect((await send(TOKEN, { body, headers: { 'x-client-key': clientKey } })).status).toBe(401);
    expect((await send(TOKEN, { body, headers: { 'x-us-env': 'true' } })).status).toBe(401);
    expect((await send(TOKEN, { body })).status).toBe(200);
  });

  it('refuses the code of another tenant and of the other environment', async () => {
    const { mock, ada, send } = await setUpObserved();
    const { clientKey } = mock.tenants.add('acme');
    const body = exchangeBody(await authorize(mock, ada));
    expect((await send(TOKEN, { body, headers: { 'x-client-key': clientKey } })).status).toBe(401);
    expect((await send(TOKEN, { body, headers: { 'x-us-env': 'true' } })).status).toBe(401);
    expect((await send(TOKEN, { body })).status).toBe(200);
  });

  it('revokes all tokens of the client for the user, and leaves the login', async () => {
    const { ada, observed, send, token: login } = await setUpObserved();
    const one = observed.issueTokens(ada);
    const other = observed.issueTokens(ada);
    const hosted = observed.issueTokens(ada, 'oauth2');
    const revoke = () => send('DELETE /v1/auth/oauth/revoke', { token: one.access_token });
    expect(await revoke()).toMatchObject({ status: 200, body: { success: true } });
    expect((await revoke()).status).toBe(401);
    for (const token of [one.access_token, other.access_token]) {
      expect((await send('GET /v1/user', { token })).status).toBe(401);
    }
    expect((await send(TOKEN, { body: refreshBody(other.refresh_token) })).status).toBe(401);
    expect((await send('GET /v1/user', { token: login })).status).toBe(200);
    expect((await send('GET /v1/user', { token: hosted.access_token })).status).toBe(200);
  });

  it('recognises the grant type in the body, and refuses any other', async () => {
    const { send } = await setUpObserved();
    const { status, body } = await send(TOKEN, { body: { grant_type: 'password' } });
    expect({ status, error: body['error'] }).toEqual({ status: 400, error: 'invalid_request' });
  });
});

describe('the second OAuth family of the mock platform', () => {
  const codeOf = (redirect: string) => new URL(redirect).searchParams.get('code');
  const exchange = (code: unknown) => ({
    grant_type: 'authorization_code',
    code,
    code_verifier: VERIFIER,
  });

  it('signs a user in, and exchanges the code as JSON without a redirect URI', async () => {
    const { mock, ada, observed, send } = await setUpObserved({ card: 'ACTIVE' });
    const redirect = observed.signIn(pageUrl(mock), ada);
    const { searchParams } = new URL(redirect);
    expect(searchParams.get('state')).toBe('state-2');
    expect(searchParams.get('app_id')).toBe('mock-tenant-global');
    const { status, body } = await send(TOKEN_2, { body: exchange(codeOf(redirect)) });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    const [, claims = ''] = String(body['id_token']).split('.');
    const { iat, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect([exp - iat, sub]).toEqual([60 * 60, ada.id]);
    expect(iat).toBe(Math.floor(mock.now / 1_000));
    const token = String(body['access_token']);
    expect((await send('GET /v1/card/status', { token })).status).toBe(200);
    const refreshed = await send(TOKEN_2, { body: refreshBody(body['refresh_token']) });
    expect(refreshed.status).toBe(200);
    expect(refreshed.body['refresh_token']).not.toBe(body['refresh_token']);
  });

  it('grants the permission of a user who signs in', async () => {
    const { mock, ada, observed, send } = await setUpObserved({ isLinked: false, card: 'ACTIVE' });
    const code = codeOf(observed.signIn(pageUrl(mock), ada));
    const { body } = await send(TOKEN_2, { body: exchange(code) });
    const token = String(body['access_token']);
    expect((await send('GET /v1/card/status', { token })).status).toBe(200);
  });

  it('exchanges a form too, with client and redirect URI', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const code = codeOf(observed.signIn(pageUrl(mock), ada));
    const form = {
      ...exchange(code),
      client_id: mock.credentials.clientKey,
      redirect_uri: REDIRECT,
    };
    const body = String(new URLSearchParams(form as Record<string, string>));
    const headers = { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' };
    const exchanged = await send(TOKEN_2, { body, headers });
    expect(exchanged.status).toBe(200);
    const token = String(exchanged.body['refresh_token']);
    const again = String(new URLSearchParams(refreshBody(token) as Record<string, string>));
    expect((await send(TOKEN_2, { body: again, headers })).status).toBe(200);
    expect(mock.requests.last?.operation).toBe('auth.oauth2.refresh');
  });

  it.each([
    ['client_id', 'other'],
    ['redirect_uri', 'https://other.example'],
    ['code_verifier', `${VERIFIER}x`],
  ])('refuses an exchange with another %s', async (name, value) => {
    const { mock, ada, observed, send } = await setUpObserved();
    const body = { ...exchange(codeOf(observed.signIn(pageUrl(mock), ada))), [name]: value };
    expect((await send(TOKEN_2, { body })).status).toBe(401);
  });

  it('issues a refresh token only with the scope offline_access', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const code = codeOf(observed.signIn(pageUrl(mock, { scope: 'profile' }), ada));
    const { body } = await send(TOKEN_2, { body: exchange(code) });
    expect(body).toMatchObject({ scope: 'profile' });
    expect(body).not.toHaveProperty('refresh_token');
    expect(body).not.toHaveProperty('id_token');
  });

  it('keeps the families apart', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const code = codeOf(observed.signIn(pageUrl(mock), ada));
    expect((await send(TOKEN, { body: exchangeBody(code) })).status).toBe(401);
    const { refresh_token: token } = observed.issueTokens(ada);
    expect((await send(TOKEN_2, { body: refreshBody(token) })).status).toBe(401);
  });

  it('names the environment of the user in the redirect, and accepts the tokens there', async () => {
    const { mock, ada, observed, send } = await setUpObserved({ environment: 'us' });
    const redirect = observed.signIn(pageUrl(mock), ada);
    expect(redirect).toContain('app_id=mock-tenant-us');
    const body = exchange(codeOf(redirect));
    expect((await send(TOKEN_2, { body, headers: { 'x-us-env': 'true' } })).status).toBe(200);
  });

  it('revokes one token for each call, without a bearer token, and accepts an unknown one', async () => {
    const { ada, observed, send } = await setUpObserved();
    const { access_token, refresh_token } = observed.issueTokens(ada, 'oauth2');
    const revoke = (token: string, token_hint: string) =>
      send('POST /v1/auth/oauth2/revoke', { body: { token, token_hint } });
    expect((await revoke(access_token, 'access_token')).body).toEqual({ success: true });
    expect((await send('GET /v1/user', { token: access_token })).status).toBe(401);
    const refreshed = await send(TOKEN_2, { body: refreshBody(refresh_token) });
    expect(refreshed.status).toBe(200);
    const token = String(refreshed.body['access_token']);
    const newer = observed.state.grants[0]?.refreshToken ?? '';
    expect((await revoke(newer, 'refresh_token')).status).toBe(200);
    expect((await send(TOKEN_2, { body: refreshBody(newer) })).status).toBe(401);
    expect((await send('GET /v1/user', { token })).status).toBe(200);
    expect((await revoke('unknown', 'access_token')).body).toEqual({ success: true });
    expect((await revoke(newer, 'other')).status).toBe(400);
  });

  it('shows a page on which a user signs in, and redirects with a code', async () => {
    const { mock, send } = await setUpObserved();
    const url = pageUrl(mock);
    const page = await mock.fetch(url);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain('name="password"');
    const submit = (form: Record<string, string>) =>
      mock.fetch(url, { method: 'POST', body: new URLSearchParams(form) });
    expect((await submit({ email: 'ada@example.com', password: 'wrong' })).status).toBe(401);
    const done = await submit({ email: 'ada@example.com', password: 'pass', action: 'allow' });
    expect(done.status).toBe(303);
    const code = codeOf(done.headers.get('location') ?? '');
    expect((await send(TOKEN_2, { body: exchange(code) })).status).toBe(200);
    const denied = await submit({ action: 'deny' });
    expect(denied.headers.get('location')).toBe(`${REDIRECT}?error=access_denied&state=state-2`);
  });

  const submitOn = (mock: MockPlatform) => async (email: string, password: string) => {
    const form = { email, password, action: 'allow' };
    return mock.fetch(pageUrl(mock), { method: 'POST', body: new URLSearchParams(form) });
  };

  it.each([
    ['locked', { locked: true }, 'Account is locked'],
    ['disabled', { isDisabled: true }, 'Account is disabled'],
    ['still registering', { phase: 'MAILING_ADDRESS' }, 'Registration is not finished'],
  ])('signs no user in on its page who is %s', async (_, user, reason) => {
    const { mock, ada } = await setUpObserved(user);
    const refused = await submitOn(mock)(ada.email, 'pass');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('location')).toBeNull();
    expect(await refused.text()).toContain(reason);
  });

  it('locks an account after five wrong passwords on its page, and forgets them at a sign-in', async () => {
    const { mock, ada } = await setUpObserved();
    const submit = submitOn(mock);
    for (let count = 0; count < 4; count++) await submit(ada.email, 'wrong');
    expect((await submit(ada.email, 'pass')).status).toBe(303);
    expect(ada.failedLogins).toBe(0);
    for (let count = 0; count < 5; count++) await submit(ada.email, 'wrong');
    expect((await submit(ada.email, 'pass')).status).toBe(401);
    const login = { email: ada.email, password: 'pass' };
    expect((await sender(mock)('POST /v1/auth/login', { body: login })).body['message']).toBe(
      'Account is locked',
    );
  });

  it('signs in the user of the password where both environments have one of that address', async () => {
    const { mock, ada } = await setUpObserved();
    const grace = mock.users.add({ email: ada.email, password: 'other', environment: 'us' });
    const submit = submitOn(mock);
    const appIdOf = async (password: string) => {
      const { headers } = await submit(ada.email, password);
      return new URL(headers.get('location') ?? '').searchParams.get('app_id');
    };
    expect(await appIdOf('pass')).toBe('mock-tenant-global');
    expect(await appIdOf('other')).toBe('mock-tenant-us');
    expect([ada.failedLogins, grace.failedLogins]).toEqual([0, 0]);
    await submit(ada.email, 'wrong');
    expect([ada.failedLogins, grace.failedLogins]).toEqual([1, 1]);
  });

  it.each([
    ['client_id', undefined, 'client_id is required'],
    ['client_id', 'other', 'client_id is not known'],
    ['code_challenge', 'short', 'code_challenge must be base64url of SHA-256'],
    ['code_challenge_method', 'plain', 'code_challenge_method must be one of S256'],
    ['scope', undefined, 'scope is required'],
  ])('refuses the page with %s %s', async (name, value, message) => {
    const { mock, ada, observed } = await setUpObserved();
    const url = pageUrl(mock, { [name]: value });
    expect(() => observed.signIn(url, ada)).toThrow(message);
    const response = await mock.fetch(url);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(message);
  });

  it('lets a test decline as the user, and refuses the URL of another page', async () => {
    const { mock, ada, observed } = await setUpObserved();
    expect(observed.declineSignIn(pageUrl(mock))).toContain('error=access_denied');
    expect(() => observed.signIn('https://other.example/authorize?a=b', ada)).toThrow(mock.baseUrl);
  });

  it('compares the challenge as SHA-256 in base64url', () => expect(CHALLENGE).toHaveLength(43));
});
