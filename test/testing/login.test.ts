import { describe, expect, it } from 'vitest';
import { codeOf, setUp } from './set-up.js';

const LOGIN = { email: 'ada@example.com', password: 'pass' };

describe('the login of the mock platform', () => {
  it('returns an access token that is valid for six hours', async () => {
    const { mock, platform } = setUp({ card: 'ACTIVE' });
    const session = await platform.auth.login(LOGIN);
    if (session.phase) throw new Error('onboarding is not finished');
    const user = platform.withAccessToken(session.accessToken);
    mock.advance(6 * 3_600_000 - 1);
    expect(await codeOf(user.card.status())).toBe('ok');
    mock.advance(1);
    expect(await codeOf(user.card.status())).toBe('not_authenticated');
  });

  it('locks after five wrong passwords', async () => {
    const { platform } = setUp();
    for (let i = 0; i < 5; i++) {
      expect(await codeOf(platform.auth.login({ ...LOGIN, password: 'wrong' }))).toBe(
        'invalid_credentials',
      );
    }
    const { error } = await platform.auth.login(LOGIN).safe();
    expect(error?.message).toContain('locked');
    expect(error?.code).toBe('account_locked');
  });

  it('rejects disabled and unknown accounts', async () => {
    const { platform } = setUp({ isDisabled: true });
    expect(await codeOf(platform.auth.login(LOGIN))).toBe('account_disabled');
    expect(await codeOf(platform.auth.login({ ...LOGIN, email: 'x@example.com' }))).toBe(
      'invalid_credentials',
    );
  });

  it('returns no access token before onboarding is finished', async () => {
    const { platform } = setUp({ phase: 'ACCOUNT' });
    expect(await platform.auth.login(LOGIN)).toMatchObject({ phase: 'ACCOUNT', accessToken: null });
  });

  it.each([
    400, 200,
  ] as const)('responds %i when a one-time password is required', async (otpRequiredStatus) => {
    const { mock, ada, platform } = setUp({ otpEnabled: true, otpRequiredStatus });
    const { error } = await platform.auth.login(LOGIN).safe();
    expect(error).toMatchObject({
      code: 'otp_required',
      status: otpRequiredStatus,
      otpRequest: { userId: ada.id },
    });
    expect(mock.otpFor(ada)).toBeUndefined();
    await platform.auth.sendLoginOtp({ userId: ada.id });
    const otpCode = mock.otpFor(ada) ?? '';
    expect(otpCode).toMatch(/^\d{6}$/);
    const other = otpCode === '000000' ? '000001' : '000000';
    expect(await codeOf(platform.auth.login({ ...LOGIN, otpCode: other }))).toBe('invalid_otp');
    expect(await codeOf(platform.auth.login({ ...LOGIN, otpCode }))).toBe('ok');
    expect(await codeOf(platform.auth.login({ ...LOGIN, otpCode }))).toBe('invalid_otp');
  });

  it('rejects a code after ten minutes, and after a newer one was sent', async () => {
    const { mock, ada, platform } = setUp({ otpEnabled: true });
    await platform.auth.sendLoginOtp({ userId: ada.id });
    const first = mock.otpFor(ada);
    await platform.auth.sendLoginOtp({ userId: ada.id });
    expect(mock.otpFor(ada)).not.toBe(first);
    mock.advance('10 minutes');
    expect(mock.otpFor(ada)).toBeUndefined();
  });

  it('sends no code to a user without a phone number', async () => {
    const { ada, platform } = setUp({ phoneNumber: null });
    expect(await codeOf(platform.auth.sendLoginOtp({ userId: ada.id }))).toBe('no_phone_number');
  });
});
