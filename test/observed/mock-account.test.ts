import { describe, expect, it } from 'vitest';
import { setUpObserved } from './support.js';

const RESET = 'POST /v1/auth/password/reset';

describe('the logout of the mock platform', () => {
  it('ends the token at once, and no other session of the user', async () => {
    const { mock, ada, send, token } = await setUpObserved();
    const other = mock.accessTokenFor(ada);
    expect(await send('POST /v1/auth/logout', { token })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await send('GET /v1/user', { token })).status).toBe(401);
    expect((await send('POST /v1/auth/logout', { token, body: {} })).status).toBe(401);
    expect((await send('GET /v1/user', { token: other })).status).toBe(200);
  });
});

describe('the password reset of the mock platform', () => {
  it('leads from an e-mail to a new password', async () => {
    const { mock, ada, observed, send } = await setUpObserved({ locked: true });
    expect((await send(`${RESET}/request`, { body: { email: ada.email } })).body).toEqual({
      success: true,
    });
    const code = observed.codeFor(ada.email);
    const verified = await send(`${RESET}/verify`, { body: { email: ada.email, code } });
    expect(verified.status).toBe(200);
    const { token } = verified.body;
    const confirm = { token, password: 'new', confirmPassword: 'new' };
    const differs = { ...confirm, confirmPassword: 'other' };
    expect((await send(`${RESET}/confirm`, { body: differs })).status).toBe(422);
    expect((await send(`${RESET}/confirm`, { body: confirm })).body).toEqual({ success: true });
    expect((await send(`${RESET}/confirm`, { body: confirm })).status).toBe(400);
    const login = (password: string) =>
      send('POST /v1/auth/login', { body: { email: ada.email, password } });
    expect((await login('pass')).status).toBe(400);
    expect((await login('new')).body['accessToken']).toBeTypeOf('string');
    expect(mock.users.get(ada.id).password).toBe('new');
  });

  it('responds alike to an unknown address, and sends nothing', async () => {
    const { ada, observed, send } = await setUpObserved();
    const known = await send(`${RESET}/request`, { body: { email: ada.email } });
    const unknown = await send(`${RESET}/request`, { body: { email: 'nobody@example.com' } });
    expect({ ...unknown, headers: null }).toEqual({ ...known, headers: null });
    expect(observed.messages.map(({ to }) => to)).toEqual([ada.email]);
  });

  it.each([
    400, 422,
  ] as const)('refuses a wrong, a used and an expired code with %i', async (status) => {
    const { mock, ada, observed, send } = await setUpObserved(
      {},
      { choices: { codeRejectedStatus: status } },
    );
    const verify = (code: string | undefined) =>
      send(`${RESET}/verify`, { body: { email: ada.email, code } });
    await send(`${RESET}/request`, { body: { email: ada.email } });
    const code = observed.codeFor(ada.email);
    expect((await verify('000000')).status).toBe(status);
    expect((await verify(code)).status).toBe(200);
    expect((await verify(code)).status).toBe(status);
    await send(`${RESET}/request`, { body: { email: ada.email } });
    const late = observed.codeFor(ada.email);
    mock.advance('15 minutes');
    expect((await verify(late)).status).toBe(status);
    await send(`${RESET}/request`, { body: { email: ada.email } });
    const inTime = observed.codeFor(ada.email);
    mock.advance(899_999);
    expect((await verify(inTime)).status).toBe(200);
  });

  it('accepts the token at the tenant and in the environment of the user only', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    const { clientKey } = mock.tenants.add('acme');
    await send(`${RESET}/request`, { body: { email: ada.email } });
    const code = observed.codeFor(ada.email);
    const { token } = (await send(`${RESET}/verify`, { body: { email: ada.email, code } })).body;
    const body = { token, password: 'new', confirmPassword: 'new' };
    const confirm = async (headers: Record<string, string>) =>
      (await send(`${RESET}/confirm`, { body, headers })).status;
    expect(await confirm({ 'x-client-key': clientKey })).toBe(400);
    expect(await confirm({ 'x-us-env': 'true' })).toBe(400);
    expect(ada.password).toBe('pass');
    expect(await confirm({})).toBe(200);
    expect(ada.password).toBe('new');
  });

  it('invalidates the code of an earlier e-mail, and the token after ten minutes', async () => {
    const { mock, ada, observed, send } = await setUpObserved();
    await send(`${RESET}/request`, { body: { email: ada.email } });
    const first = observed.codeFor(ada.email);
    await send(`${RESET}/request`, { body: { email: ada.email } });
    const verify = (code: string | undefined) =>
      send(`${RESET}/verify`, { body: { email: ada.email, code } });
    expect((await verify(first)).status).toBe(400);
    const confirm = async (milliseconds: number) => {
      const { token } = (await verify(observed.codeFor(ada.email))).body;
      mock.advance(milliseconds);
      const body = { token, password: 'new', confirmPassword: 'new' };
      return (await send(`${RESET}/confirm`, { body })).status;
    };
    expect(await confirm(600_000)).toBe(400);
    expect(ada.password).toBe('pass');
    await send(`${RESET}/request`, { body: { email: ada.email } });
    expect(await confirm(599_999)).toBe(200);
    expect(ada.password).toBe('new');
  });

  it('names each field that is missing', async () => {
    const { send } = await setUpObserved();
    const { status, body } = await send(`${RESET}/confirm`, { body: {} });
    expect(status).toBe(422);
    expect(body['errors']).toEqual([
      { field: 'token', message: 'is required' },
      { field: 'password', message: 'is required' },
      { field: 'confirmPassword', message: 'is required' },
    ]);
  });
});
