import { describe, expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/index.js';
import { codeOf, setUp } from './set-up.js';

const LOGIN = { email: 'ada@example.com', password: 'pass' };

describe('the login of the mock platform', () => {
  it('returns an access token that is valid for six hours', async () => {
    const { mock, platform: client } = setUp({ card: 'ACTIVE' });
    const session = await client.auth.login(LOGIN);
    if (session.phase) throw new Error('onboarding is not finished');
    const userClient = client.withAccessToken(session.accessToken);
    mock.advance(6 * 3_600_000 - 1);
    expect(await codeOf(userClient.card.status())).toBe('ok');
    mock.advance(1);
    expect(await codeOf(userClient.card.status())).toBe('not_authenticated');
  });

  it('locks after five wrong passwords', async () => {
    const { platform: client } = setUp();
    for (let i = 0; i < 5; i++) {
      expect(await codeOf(client.auth.login({ ...LOGIN, password: 'wrong' }))).toBe(
        'invalid_credentials',
      );
    }
    const { error } = await client.auth.login(LOGIN).safe();
    expect(error?.message).toContain('locked');
    expect(error?.code).toBe('account_locked');
  });

  it('counts wrong passwords and codes from the last login that succeeded', async () => {
    const { ada, mock, platform } = setUp({ otpEnabled: true });
    const wrong = () => codeOf(platform.auth.login({ ...LOGIN, password: 'wrong' }));
    const right = async () => {
      await platform.auth.sendLoginOtp({ userId: ada.id });
      return codeOf(platform.auth.login({ ...LOGIN, otpCode: mock.otpFor(ada) ?? '' }));
    };
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) expect(await wrong()).toBe('invalid_credentials');
      expect(await right()).toBe('ok');
    }
    for (let i = 0; i < 4; i++) await wrong();
    expect(await codeOf(platform.auth.login({ ...LOGIN, otpCode: '000000' }))).toBe('invalid_otp');
    expect(await right()).toBe('account_locked');
  });

  it('accepts a code for less than ten minutes', async () => {
    for (const [milliseconds, expected] of [
      [599_999, 'ok'],
      [600_000, 'invalid_otp'],
    ] as const) {
      const { ada, mock, platform } = setUp({ otpEnabled: true });
      await platform.auth.sendLoginOtp({ userId: ada.id });
      const otpCode = mock.otpFor(ada) ?? '';
      mock.advance(milliseconds);
      expect(await codeOf(platform.auth.login({ ...LOGIN, otpCode }))).toBe(expected);
    }
  });

  it('refuses the sixth attempt within a minute, and says when the next one may come', async () => {
    const { mock, platform } = setUp();
    mock.state.choices.loginRateLimit = 'with-retry-after';
    const login = async () => {
      const { error } = await platform.auth.login(LOGIN).safe();
      return error === undefined ? 'ok' : `${error.code} ${Object(error).retryAfterMs}`;
    };
    expect(await login()).toBe('ok');
    mock.advance(10_000);
    for (let i = 0; i < 4; i++) expect(await login()).toBe('ok');
    expect(await login()).toBe('rate_limited 50000');
    mock.advance(49_999);
    expect(await login()).toBe('rate_limited 1000');
    // The first attempt is a minute old. The others are not.
    mock.advance(1);
    expect(await login()).toBe('ok');
    expect(await login()).toBe('rate_limited 10000');
    mock.state.choices.loginRateLimit = 'without-retry-after';
    expect(await login()).toBe('rate_limited undefined');
  });

  it('limits the attempts of one address in any case, at one tenant', async () => {
    const { mock, platform } = setUp();
    mock.state.choices.loginRateLimit = 'without-retry-after';
    const { name: tenant, ...credentials } = mock.tenants.add('acme');
    const { baseUrl, fetch } = mock;
    const acme = new CardPlatformClient({ baseUrl, fetch, ...credentials, retry: false });
    mock.users.add({ email: LOGIN.email, password: LOGIN.password, tenant });
    mock.users.add({ email: 'bob@example.com', password: LOGIN.password });
    for (let i = 0; i < 5; i++) await platform.auth.login(LOGIN);
    const email = LOGIN.email.toUpperCase();
    expect(await codeOf(platform.auth.login({ ...LOGIN, email }))).toBe('rate_limited');
    expect(await codeOf(platform.auth.login({ ...LOGIN, email: 'bob@example.com' }))).toBe('ok');
    expect(await codeOf(acme.auth.login(LOGIN))).toBe('ok');
  });

  it('rejects disabled and unknown accounts', async () => {
    const { platform: client } = setUp({ isDisabled: true });
    expect(await codeOf(client.auth.login(LOGIN))).toBe('account_disabled');
    expect(await codeOf(client.auth.login({ ...LOGIN, email: 'x@example.com' }))).toBe(
      'invalid_credentials',
    );
  });

  it('returns no access token before onboarding is finished', async () => {
    const { platform: client } = setUp({ phase: 'ACCOUNT' });
    expect(await client.auth.login(LOGIN)).toMatchObject({ phase: 'ACCOUNT', accessToken: null });
  });

  it.each([
    400, 200,
  ] as const)('responds %i when a one-time password is required', async (otpRequiredStatus) => {
    const { mock, ada, platform: client } = setUp({ otpEnabled: true, otpRequiredStatus });
    const { error } = await client.auth.login(LOGIN).safe();
    expect(error).toMatchObject({
      code: 'otp_required',
      status: otpRequiredStatus,
      otpRequest: { userId: ada.id },
    });
    expect(mock.otpFor(ada)).toBeUndefined();
    await client.auth.sendLoginOtp({ userId: ada.id });
    const otpCode = mock.otpFor(ada) ?? '';
    expect(otpCode).toMatch(/^\d{6}$/);
    const other = otpCode === '000000' ? '000001' : '000000';
    expect(await codeOf(client.auth.login({ ...LOGIN, otpCode: other }))).toBe('invalid_otp');
    expect(await codeOf(client.auth.login({ ...LOGIN, otpCode }))).toBe('ok');
    expect(await codeOf(client.auth.login({ ...LOGIN, otpCode }))).toBe('invalid_otp');
  });

  it('rejects a code after ten minutes, and after a newer one was sent', async () => {
    const { mock, ada, platform: client } = setUp({ otpEnabled: true });
    await client.auth.sendLoginOtp({ userId: ada.id });
    const first = mock.otpFor(ada);
    await client.auth.sendLoginOtp({ userId: ada.id });
    expect(mock.otpFor(ada)).not.toBe(first);
    mock.advance('10 minutes');
    expect(mock.otpFor(ada)).toBeUndefined();
  });

  it.each([
    ['+15550100', '*****0100'],
    ['12345', '*2345'],
    ['123', '123'],
    [null, null],
  ])('masks the phone number %s as %s', async (phoneNumber, shown) => {
    const { platform: client } = setUp({ otpEnabled: true, phoneNumber });
    const { error } = await client.auth.login(LOGIN).safe();
    expect(error).toMatchObject({ body: { isOtpRequired: true, phoneNumber: shown } });
  });

  it('accepts the newest code of the user only', async () => {
    const { mock, ada, platform: client } = setUp({ otpEnabled: true });
    const bob = mock.users.add({ otpEnabled: true });
    const codeFor = async ({ id: userId }: { id: string }) => {
      await client.auth.sendLoginOtp({ userId });
      return mock.otpFor({ id: userId }) ?? '';
    };
    const [older, other, newest] = [await codeFor(ada), await codeFor(bob), await codeFor(ada)];
    expect(new Set([older, other, newest]).size).toBe(3);
    const login = (otpCode: string) => codeOf(client.auth.login({ ...LOGIN, otpCode }));
    expect(await login(older)).toBe('invalid_otp');
    expect(await login(other)).toBe('invalid_otp');
    expect(await login(newest)).toBe('ok');
  });

  it('sends no code to a user without a phone number', async () => {
    const { ada, platform: client } = setUp({ phoneNumber: null });
    expect(await codeOf(client.auth.sendLoginOtp({ userId: ada.id }))).toBe('no_phone_number');
  });
});
