import { describe, expect, it } from 'vitest';
import { RECOGNISED_ERRORS } from '../../src/contract/recognised-errors.js';
import type { NewUser } from '../../src/testing/index.js';
import { CONSENT, codeOf, setUp } from './set-up.js';

type Scene = ReturnType<typeof setUp>;
type Row = {
  name: string;
  code: string;
  user?: NewUser;
  call: (scene: Scene) => PromiseLike<unknown>;
};

const LOGIN = { email: 'ada@example.com', password: 'pass' };
const VIRTUAL = { type: 'VIRTUAL' } as const;
const OTHER_ID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';
const WEBHOOK = { name: 'n', url: 'https://hooks.example.com', eventTypes: ['*'] };

const logIn = ({ platform: appClient }: Scene) => appClient.auth.login(LOGIN);
const logInWithOtherCode = async ({ mock, ada, platform: appClient }: Scene) => {
  await appClient.auth.sendLoginOtp({ userId: ada.id });
  const otpCode = mock.otpFor(ada) === '000000' ? '000001' : '000000';
  return appClient.auth.login({ ...LOGIN, otpCode });
};

const ROWS: readonly Row[] = [
  ...([400, 401, 403] as const).flatMap((status): Row[] => [
    {
      name: `a wrong password, with ${status}`,
      code: 'invalid_credentials',
      user: { loginRejectedStatus: status },
      call: ({ platform: appClient }) => appClient.auth.login({ ...LOGIN, password: 'other' }),
    },
    {
      name: `a locked account, with ${status}`,
      code: 'account_locked',
      user: { locked: true, loginRejectedStatus: status },
      call: logIn,
    },
    {
      name: `a disabled account, with ${status}`,
      code: 'account_disabled',
      user: { isDisabled: true, loginRejectedStatus: status },
      call: logIn,
    },
  ]),
  ...([400, 401, 200] as const).map(
    (status): Row => ({
      name: `a wrong one-time password, with ${status}`,
      code: 'invalid_otp',
      user: { otpEnabled: true, otpRejectedStatus: status },
      call: logInWithOtherCode,
    }),
  ),
  { name: 'no one-time password', code: 'otp_required', user: { otpEnabled: true }, call: logIn },
  ...([400, 403] as const).map(
    (status): Row => ({
      name: `a card order of an unverified user, with ${status}`,
      code: 'user_not_verified',
      user: { verified: false, notVerifiedStatus: status },
      call: ({ client }) => client.card.order(VIRTUAL),
    }),
  ),
  { name: 'a missing card', code: 'card_not_found', call: ({ client }) => client.card.status() },
  {
    name: 'a sixth webhook',
    code: 'webhook_limit_reached',
    call: async ({ client }) => {
      for (let i = 0; i < 6; i++) await client.webhooks.create(WEBHOOK);
    },
  },
  {
    name: 'an unknown webhook',
    code: 'webhook_not_found',
    call: ({ client }) => client.webhooks.get({ id: OTHER_ID }),
  },
  {
    name: 'a second consent set of an onboarding',
    code: 'consent_set_exists',
    call: async ({ platform: appClient }) => {
      await appClient.consent.createOnboarding(CONSENT);
      return appClient.consent.createOnboarding(CONSENT);
    },
  },
  {
    name: 'a second user of a consent set',
    code: 'consent_already_linked',
    call: async ({ platform: appClient }) => {
      const { consentSetId } = await appClient.consent.createOnboarding(CONSENT);
      await appClient.consent.linkUser({ consentSetId, userId: 'u-1' });
      return appClient.consent.linkUser({ consentSetId, userId: 'u-2' });
    },
  },
  {
    name: 'an unknown consent set',
    code: 'consent_set_not_found',
    call: ({ platform: appClient }) => appClient.consent.getSet({ id: OTHER_ID }),
  },
  {
    name: 'a credit wallet before the first credit',
    code: 'no_credit_wallet',
    user: { hasCreditWallet: false },
    call: ({ client }) => client.wallets.credit.get(),
  },
];

describe('the mock platform', () => {
  it.each(ROWS)('refuses $name, and the error has the code $code', async ({ code, user, call }) => {
    expect(await codeOf(call(setUp(user)))).toBe(code);
  });

  it('produces every code that the client recognises beyond documented messages', () => {
    const produced = ROWS.map(({ code }) => code);
    for (const { code } of RECOGNISED_ERRORS) expect(produced).toContain(code);
  });

  it('unlocks a locked account when its failed logins are set to zero', async () => {
    const scene = setUp({ locked: true });
    scene.ada.failedLogins = 0;
    expect(await codeOf(logIn(scene))).toBe('ok');
  });

  it('counts a wrong one-time password as a failed login, whichever status it has', async () => {
    for (const otpRejectedStatus of [400, 401, 200] as const) {
      const scene = setUp({ otpEnabled: true, otpRejectedStatus });
      await codeOf(logInWithOtherCode(scene));
      expect(scene.ada.failedLogins).toBe(1);
    }
  });
});
