import { describe, expect, it } from 'vitest';
import { createMockPlatform, type MockChoices } from '../../src/testing/index.js';
import { codeOf, setUp } from './set-up.js';

const LOGIN = { email: 'ada@example.com', password: 'pass' };
const WEBHOOK = { name: 'n', url: 'https://hooks.example.com', eventTypes: ['*'] };

describe('what the contract leaves open, on the mock platform', () => {
  it.each([400, 200] as const)('a one-time password is required with status %i', async (status) => {
    const { platform: appClient } = setUp(
      { otpEnabled: true },
      { choices: { otpRequiredStatus: status } },
    );
    const { error } = await appClient.auth.login(LOGIN).safe();
    expect(error).toMatchObject({ code: 'otp_required', status });
  });

  describe.each([
    400, 200,
  ] as const)('a response that asks for a one-time password with %i', (status) => {
    it.each([
      'shown',
      'absent',
    ] as const)('has the user and the phone number: %s', async (choice) => {
      const choices = { otpRequiredStatus: status, otpRequest: choice };
      const { mock, ada } = setUp({ otpEnabled: true, phoneNumber: '+15550001234' }, { choices });
      const response = await mock.fetch(`${mock.baseUrl}/v1/auth/login`, {
        method: 'POST',
        headers: {
          'x-client-key': mock.credentials.clientKey,
          'content-type': 'application/json',
        },
        body: JSON.stringify(LOGIN),
      });
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({
        ...(status === 200 ? { accessToken: null } : { message: 'OTP is required' }),
        isOtpRequired: true,
        ...(choice === 'shown' && { userId: ada.id, phoneNumber: '********1234' }),
      });
    });
  });

  it('an app that does not know the user cannot ask for the code', async () => {
    const { platform: appClient } = setUp(
      { otpEnabled: true },
      { choices: { otpRequest: 'absent' } },
    );
    const { error } = await appClient.auth.login(LOGIN).safe();
    expect(error).toMatchObject({ code: 'otp_required', otpRequest: {} });
    expect(await codeOf(appClient.auth.sendLoginOtp({}))).not.toBe('ok');
  });

  it.each([
    400, 401, 403,
  ] as const)('wrong login data, of a known and of an unknown user, get status %i', async (loginRejectedStatus) => {
    const { platform: appClient } = setUp({}, { choices: { loginRejectedStatus } });
    for (const email of [LOGIN.email, 'nobody@example.com']) {
      const { error } = await appClient.auth.login({ email, password: 'other' }).safe();
      expect(error).toMatchObject({ code: 'invalid_credentials', status: loginRejectedStatus });
    }
  });

  it('the status of a user takes precedence over that of the platform', async () => {
    const { platform: appClient } = setUp(
      { loginRejectedStatus: 403 },
      { choices: { loginRejectedStatus: 401 } },
    );
    const { error } = await appClient.auth.login({ ...LOGIN, password: 'other' }).safe();
    expect(error).toMatchObject({ status: 403 });
  });

  it.each([400, 401, 200] as const)('a wrong one-time password gets status %i', async (status) => {
    const { platform: appClient } = setUp(
      { otpEnabled: true },
      { choices: { otpRejectedStatus: status } },
    );
    const { error } = await appClient.auth.login({ ...LOGIN, otpCode: '000000' }).safe();
    expect(error).toMatchObject({ code: 'invalid_otp', status });
  });

  it.each([400, 403] as const)('a card order of an unverified user gets %i', async (status) => {
    const { client } = setUp({ verified: false }, { choices: { notVerifiedStatus: status } });
    const { error } = await client.card.order({ type: 'VIRTUAL' }).safe();
    expect(error).toMatchObject({ code: 'user_not_verified', status });
  });

  it.each([
    ['shown', 'PENDING'],
    ['not-found', 'card_not_found'],
  ] as const)('the status of a card that is not provisioned is %s', async (pendingCard, seen) => {
    const { mock, client } = setUp({}, { choices: { pendingCard } });
    await client.card.order({ type: 'VIRTUAL' });
    const { data, error } = await client.card.status().safe();
    expect(data?.status ?? error?.code).toBe(seen);
    mock.advance('3 seconds');
    expect((await client.card.status()).status).toBe('ACTIVE');
  });

  it.each([
    ['active', undefined, true],
    ['inactive', undefined, false],
    ['inactive', true, true],
    ['active', false, false],
  ] as const)('a new webhook is %s, and with isActive %s it is: %s', async (newWebhook, isActive, is) => {
    const { client } = setUp({}, { choices: { newWebhook } });
    expect((await client.webhooks.create({ ...WEBHOOK, isActive })).data?.isActive).toBe(is);
  });

  it.each([
    ['on-submission', 'UNVERIFIED'],
    ['on-session', 'PENDING'],
  ] as const)('a verification is pending %s', async (verificationPending, state) => {
    const { ada, client } = setUp({ verified: false }, { choices: { verificationPending } });
    await client.user.startVerification();
    expect(ada.verificationState).toBe(state);
    // A verified user stays verified.
    ada.verificationState = 'VERIFIED';
    await client.user.startVerification();
    expect(ada.verificationState).toBe('VERIFIED');
  });

  it.each([
    ['shown', true],
    ['absent', false],
  ] as const)('the payment config of an order is %s', async (paymentConfig, isThere) => {
    const { client } = setUp({}, { choices: { paymentConfig } });
    const [product] = await client.orders.listProducts();
    const order = await client.orders.create({
      productId: product?.id ?? '',
      paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
    });
    expect('paymentConfig' in order).toBe(isThere);
  });

  it('can be changed later, and is part of a snapshot', async () => {
    const { mock, platform: appClient } = setUp({ otpEnabled: true });
    const snapshot = mock.snapshot();
    mock.state.choices.otpRequiredStatus = 200;
    expect((await appClient.auth.login(LOGIN).safe()).error).toMatchObject({ status: 200 });
    mock.restore(snapshot);
    expect((await appClient.auth.login(LOGIN).safe()).error).toMatchObject({ status: 400 });
  });

  it.each<object>([
    { otpRequiredStatus: 401 },
    { pendingCard: 'hidden' },
    { otpStatus: 200 },
    { constructor: 400 },
  ])('is refused when it is not a choice: %j', (choices) => {
    const given = choices as unknown as Partial<MockChoices>;
    expect(() => createMockPlatform({ choices: given })).toThrow(
      /choices: .* (?:one of|is not a known option)/,
    );
  });
});

describe('unknown options', () => {
  it.each([
    ['of the platform', () => createMockPlatform(Object({ startAt: 0 })), 'startAt'],
    [
      'of a user',
      () => createMockPlatform().users.add(Object({ isVerified: false })),
      'isVerified',
    ],
    [
      'of a wallet of a user',
      () => createMockPlatform().users.add({ wallets: [Object({ amount: '5' })] }),
      'amount',
    ],
    [
      'of a planned failure',
      () => createMockPlatform().fail('card.freeze', 500, Object({ count: 2 })),
      'count',
    ],
    [
      'of a planned drop',
      () => createMockPlatform().drop('card.freeze', 'refused', Object({ count: 2 })),
      'count',
    ],
  ])('%s are refused', (_, create, name) => {
    expect(create).toThrow(new RegExp(`${name} is not a known option`));
  });
});

it('a refusal of a pending card does not stop the order of the same user', async () => {
  const { client } = setUp({}, { choices: { pendingCard: 'not-found' } });
  await client.card.order({ type: 'VIRTUAL' });
  expect(await codeOf(client.card.order({ type: 'VIRTUAL' }))).toBe('user_already_has_card');
});
