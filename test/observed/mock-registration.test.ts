import { describe, expect, it } from 'vitest';
import type { MockPlatform } from '../../src/testing/index.js';
import { CONSENT } from '../testing/set-up.js';
import { sender, setUpObserved } from './support.js';

const EMAIL = 'new@example.com';
const PASSWORD = 'a password of fifteen or more';
const REGISTER = '/v1/auth/register';

type Person = { country?: string; email?: string };

/** Runs the steps of a registration one by one. */
function registering(mock: MockPlatform, { country = 'PT', email = EMAIL }: Person = {}) {
  const send = sender(mock);
  const facts: { contactVerificationId?: unknown; onboardingId?: unknown } = {};
  const phone = { phoneCountryCode: '+351', phoneNumber: '912345678' };
  const post = (path: string, body: unknown) => send(`POST ${REGISTER}${path}`, { body });
  const codeFor = async (to: string) => mock.observed.codeFor(to);
  const steps = {
    facts,
    post,
    async sendEmail() {
      const reply = await post('/email/send', { email });
      facts.contactVerificationId = reply.body['contactVerificationId'];
      return reply;
    },
    async verifyEmail(changes: object = {}) {
      const reply = await post('/email/verify', {
        email,
        password: PASSWORD,
        verificationCode: await codeFor(email),
        contactVerificationId: facts.contactVerificationId,
        countryOfResidence: country,
        allowMarketing: false,
        allowSms: true,
        ...changes,
      });
      facts.onboardingId = reply.body['onboardingId'];
      return reply;
    },
    sendPhone: (changes: object = {}) =>
      post('/phone/send', {
        ...phone,
        contactVerificationId: facts.contactVerificationId,
        ...changes,
      }),
    verifyPhone: async (changes: object = {}) =>
      post('/phone/verify', {
        ...phone,
        ...facts,
        verificationCode: (await codeFor('+351912345678')) ?? '000000',
        ...changes,
      }),
    startVerification: () => post('/verification', { onboardingId: facts.onboardingId }),
    verifyIdentity() {
      mock.completeVerification(mock.users.get(email));
      mock.advance('10 minutes');
    },
    personalDetails: (changes: object = {}) =>
      post('/personal-details', {
        onboardingId: facts.onboardingId,
        firstName: 'Grace',
        lastName: 'Hopper',
        dateOfBirth: '1980-12-09',
        countryOfNationality: 'PT',
        ...(country === 'US' && { ssn: '123456789' }),
        ...changes,
      }),
    address: (changes: object = {}, path = '/address') =>
      post(path, {
        onboardingId: facts.onboardingId,
        addressLine1: '1 Road',
        city: 'Lisbon',
        zip: '1000',
        ...(country === 'US' && { usState: 'CA' }),
        ...changes,
      }),
    read: () => send(`GET ${REGISTER}`, { query: { onboardingId: String(facts.onboardingId) } }),
    async untilAddress() {
      await steps.sendEmail();
      await steps.verifyEmail();
      await steps.sendPhone();
      await steps.verifyPhone();
      await steps.startVerification();
      steps.verifyIdentity();
      await steps.personalDetails();
    },
  };
  return steps;
}

const login = (mock: MockPlatform) =>
  sender(mock)('POST /v1/auth/login', { body: { email: EMAIL, password: PASSWORD } });

describe('the registration of the mock platform', () => {
  it('leads through all steps to a user who is signed in', async () => {
    const { mock, send } = await setUpObserved();
    const steps = registering(mock);
    expect(await steps.sendEmail()).toMatchObject({ status: 200 });
    const verified = await steps.verifyEmail();
    expect(verified).toMatchObject({
      status: 200,
      body: {
        hasAccount: false,
        onboardingId: expect.any(String),
        user: { id: null, email: EMAIL },
      },
    });
    expect(await steps.sendPhone()).toMatchObject({ status: 200, body: { success: true } });
    expect(await steps.verifyPhone()).toMatchObject({
      status: 200,
      body: { user: { phoneNumber: '+351912345678' } },
    });
    const session = await steps.startVerification();
    expect(session.body['sessionUrl']).toMatch(/^https:\/\//);
    expect(mock.users.get(EMAIL).verificationState).toBe('PENDING');
    steps.verifyIdentity();
    expect(await steps.personalDetails()).toMatchObject({
      status: 200,
      body: { user: { firstName: 'Grace', verificationState: 'VERIFIED' } },
    });
    const consent = await send('POST /v2/consent/onboarding', {
      body: { ...CONSENT, onboardingId: steps.facts.onboardingId },
      headers: { 'x-secret-key': mock.credentials.secretKey },
    });
    expect(consent.status).toBe(201);
    const done = await steps.address();
    expect(done).toMatchObject({
      status: 200,
      body: { accessToken: expect.any(String), user: { id: mock.users.get(EMAIL).id } },
    });
    const token = String(done.body['accessToken']);
    expect(await send('GET /v1/user', { token })).toMatchObject({
      body: { firstName: 'Grace', city: 'Lisbon', countryOfResidence: 'PT' },
    });
    expect((await login(mock)).body['accessToken']).toBeTypeOf('string');
    expect(await steps.read()).toMatchObject({
      status: 200,
      body: { firstName: 'Grace', dateOfBirth: '1980-12-09T00:00:00.000Z', city: 'Lisbon' },
    });
  });

  it('asks a US resident for a mailing address when it differs', async () => {
    const { mock } = await setUpObserved();
    const steps = registering(mock, { country: 'US' });
    await steps.untilAddress();
    expect(await steps.address({ isSameMailingAddress: false })).toMatchObject({
      status: 200,
      body: { accessToken: null, user: { id: mock.users.get(EMAIL).id } },
    });
    expect((await login(mock)).body['phase']).toBe('MAILING_ADDRESS');
    const { status } = await steps.address({ usState: undefined }, '/mailing-address');
    expect(status).toBe(422);
    expect(
      await steps.address({ city: 'Austin', usState: 'TX' }, '/mailing-address'),
    ).toMatchObject({
      status: 200,
      body: { accessToken: expect.any(String), user: { mailingCity: 'Austin' } },
    });
    expect((await login(mock)).body['accessToken']).toBeTypeOf('string');
  });

  it.each([
    ['US', { isSameMailingAddress: true }],
    ['US', {}],
    ['PT', { isSameMailingAddress: false }],
  ])('needs no mailing address from %s with %o', async (country, changes) => {
    const { mock } = await setUpObserved();
    const steps = registering(mock, { country });
    await steps.untilAddress();
    expect((await steps.address(changes)).body['accessToken']).toBeTypeOf('string');
    expect((await steps.address({ usState: 'CA' }, '/mailing-address')).status).toBe(400);
  });

  it('responds that a known address has an account, and sends it a code like any other', async () => {
    const { mock, ada, observed } = await setUpObserved();
    const steps = registering(mock, { email: ada.email });
    expect((await steps.sendEmail()).status).toBe(200);
    expect(observed.codeFor(ada.email)).toMatch(/^\d{6}$/);
    expect(await steps.verifyEmail()).toMatchObject({
      status: 200,
      body: { hasAccount: true, onboardingId: null },
    });
  });

  it('responds the same for an address whose registration is not finished, and the login shows its phase', async () => {
    const { mock } = await setUpObserved();
    const first = registering(mock);
    await first.sendEmail();
    await first.verifyEmail();
    expect((await login(mock)).body).toMatchObject({ accessToken: null, phase: 'PHONE_NUMBER' });
    const again = registering(mock);
    await again.sendEmail();
    expect((await again.verifyEmail()).body['hasAccount']).toBe(true);
    await first.sendPhone();
    await first.verifyPhone();
    expect((await login(mock)).body['phase']).toBe('PERSONAL_INFORMATION');
  });

  it.each([
    ['another code', { verificationCode: '000000' }, 'Invalid verification code'],
    [
      'another id',
      { contactVerificationId: 'other' },
      'Invalid or expired contact verification ID',
    ],
    [
      'another address',
      { email: 'other@example.com' },
      'Invalid or expired contact verification ID',
    ],
  ])('refuses an e-mail verification with %s', async (_, changes, message) => {
    const { mock } = await setUpObserved();
    const steps = registering(mock);
    await steps.sendEmail();
    expect(await steps.verifyEmail(changes)).toMatchObject({ status: 400, body: { message } });
    expect((await steps.verifyEmail()).status).toBe(200);
  });

  it('keeps the personal details once the user exists', async () => {
    const { mock } = await setUpObserved();
    const steps = registering(mock);
    await steps.untilAddress();
    expect((await steps.personalDetails()).status).toBe(200);
    expect((await steps.address()).status).toBe(200);
    expect(await steps.personalDetails({ lastName: 'Other' })).toMatchObject({
      status: 400,
      body: { message: 'Personal details are final' },
    });
    expect(mock.users.get(EMAIL).profile['lastName']).toBe('Hopper');
  });

  it('accepts the code of an e-mail once', async () => {
    const { mock, observed } = await setUpObserved();
    const steps = registering(mock);
    await steps.sendEmail();
    const verificationCode = observed.codeFor(EMAIL);
    expect((await steps.verifyEmail({ verificationCode })).status).toBe(200);
    expect(await steps.verifyEmail({ verificationCode })).toMatchObject({
      status: 400,
      body: { message: 'Invalid or expired contact verification ID' },
    });
  });

  it('refuses the code of an e-mail after 15 minutes, with the chosen status', async () => {
    const { mock, observed } = await setUpObserved({}, { choices: { codeRejectedStatus: 422 } });
    const steps = registering(mock);
    await steps.sendEmail();
    const late = observed.codeFor(EMAIL);
    mock.advance('15 minutes');
    expect(observed.codeFor(EMAIL)).toBeUndefined();
    expect((await steps.verifyEmail({ verificationCode: late })).status).toBe(422);
    await steps.sendEmail();
    mock.advance(899_999);
    const verificationCode = observed.codeFor(EMAIL);
    expect((await steps.verifyEmail({ verificationCode })).status).toBe(200);
  });

  it('refuses the code of a text message after 15 minutes, for another number, and twice', async () => {
    const { mock, observed } = await setUpObserved();
    const steps = registering(mock);
    await steps.sendEmail();
    await steps.verifyEmail();
    await steps.sendPhone({ phoneCountryCode: '351' });
    expect((await steps.verifyPhone({ phoneNumber: '912345679' })).status).toBe(400);
    expect((await steps.verifyPhone({ verificationCode: '000000' })).status).toBe(400);
    expect((await steps.verifyPhone({ contactVerificationId: 'other' })).status).toBe(400);
    expect((await steps.verifyPhone()).status).toBe(200);
    expect((await steps.verifyPhone()).status).toBe(400);
    await steps.sendPhone();
    const verificationCode = observed.codeFor('+351912345678');
    expect(verificationCode).toMatch(/^\d{6}$/);
    mock.advance('15 minutes');
    expect(await steps.verifyPhone({ verificationCode })).toMatchObject({
      status: 400,
      body: { message: 'Verification code has expired' },
    });
    await steps.sendPhone();
    mock.advance(899_999);
    expect((await steps.verifyPhone()).status).toBe(200);
  });

  it('enforces the order of the steps', async () => {
    const { mock } = await setUpObserved();
    const steps = registering(mock);
    await steps.sendEmail();
    expect((await steps.sendPhone()).status).toBe(400);
    await steps.verifyEmail();
    expect((await steps.startVerification()).status).toBe(400);
    expect((await steps.personalDetails()).status).toBe(400);
    expect((await steps.address()).status).toBe(400);
    expect((await steps.address({ usState: 'CA' }, '/mailing-address')).status).toBe(400);
    await steps.sendPhone();
    await steps.verifyPhone();
    expect((await steps.address()).status).toBe(400);
  });

  it.each([
    400, 403,
  ] as const)('refuses details with %i while the identity is unfinished', async (status) => {
    const { mock } = await setUpObserved({}, { choices: { notVerifiedStatus: status } });
    const steps = registering(mock);
    await steps.sendEmail();
    await steps.verifyEmail();
    await steps.sendPhone();
    await steps.verifyPhone();
    await steps.startVerification();
    expect(await steps.personalDetails()).toMatchObject({
      status,
      body: { code: 'USER_NOT_VERIFIED', message: 'User is not verified' },
    });
    steps.verifyIdentity();
    expect((await steps.personalDetails()).status).toBe(200);
  });

  it('lets the page of the identity session be opened more than once within seven days', async () => {
    const { mock } = await setUpObserved();
    const steps = registering(mock);
    await steps.sendEmail();
    await steps.verifyEmail();
    await steps.sendPhone();
    await steps.verifyPhone();
    const url = String((await steps.startVerification()).body['sessionUrl']);
    const submit = () => mock.fetch(url, { method: 'POST', body: 'action=submit' });
    expect((await submit()).status).toBe(200);
    expect((await submit()).status).toBe(200);
    mock.advance(7 * 86_400_000 - 1);
    expect((await submit()).status).toBe(200);
    mock.advance(1);
    expect((await submit()).status).toBe(410);
    expect(mock.users.get(EMAIL).verificationState).toBe('VERIFIED');
  });

  it('fails after it created the user when that is planned, and then responds "create user failed"', async () => {
    const { mock } = await setUpObserved();
    const steps = registering(mock);
    await steps.untilAddress();
    mock.fail('user.registration.submitAddress', 500, { moment: 'after-processing' });
    expect((await steps.address()).status).toBe(500);
    expect(await steps.address()).toMatchObject({
      status: 500,
      body: { message: 'create user failed' },
    });
    expect((await login(mock)).body['accessToken']).toBeTypeOf('string');
  });

  it.each([
    ['sendEmailCode', '/email/send', { email: 'nobody' }, 'email'],
    ['sendPhoneCode', '/phone/send', { phoneNumber: '91 234' }, 'phoneNumber'],
    ['sendPhoneCode', '/phone/send', { phoneCountryCode: 'PT' }, 'phoneCountryCode'],
    ['verifyEmail', '/email/verify', { verificationCode: '12345' }, 'verificationCode'],
    ['verifyEmail', '/email/verify', { countryOfResidence: 'Portugal' }, 'countryOfResidence'],
    ['verifyEmail', '/email/verify', { allowSms: 'yes' }, 'allowSms'],
    ['submitPersonalDetails', '/personal-details', { dateOfBirth: '1990-02-30' }, 'dateOfBirth'],
    ['submitPersonalDetails', '/personal-details', { ssn: '123-45-6789' }, 'ssn'],
    ['submitAddress', '/address', { usState: 'California' }, 'usState'],
    ['startVerification', '/verification', {}, 'onboardingId'],
  ])('refuses an invalid field of %s', async (name, path, body, field) => {
    const { mock } = await setUpObserved();
    const { status, body: refusal } = await registering(mock).post(path, body);
    expect(status).toBe(422);
    expect(refusal['errors']).toContainEqual({ field, message: expect.any(String) });
    expect(mock.requests.last?.operation).toBe(`user.registration.${name}`);
  });

  it('asks a US resident for ssn and state', async () => {
    const { mock } = await setUpObserved();
    const steps = registering(mock, { country: 'US' });
    await steps.untilAddress();
    expect((await steps.personalDetails({ ssn: undefined })).status).toBe(422);
    expect((await steps.address({ usState: undefined })).status).toBe(422);
  });

  it('responds 404 to an unknown onboardingId, also of another tenant or environment', async () => {
    const { mock, send } = await setUpObserved();
    const steps = registering(mock);
    await steps.sendEmail();
    await steps.verifyEmail();
    const query = { onboardingId: String(steps.facts.onboardingId) };
    const { clientKey } = mock.tenants.add('acme');
    const get = (headers: Record<string, string>) => send(`GET ${REGISTER}`, { query, headers });
    expect((await get({})).status).toBe(200);
    expect((await get({ 'x-client-key': clientKey })).status).toBe(404);
    expect((await get({ 'x-us-env': 'true' })).status).toBe(404);
    expect((await send(`GET ${REGISTER}`, { query: { onboardingId: 'other' } })).status).toBe(404);
  });

  it('creates the user of a request with the US header in the US environment', async () => {
    const { mock, observed, send } = await setUpObserved();
    const headers = { 'x-us-env': 'true' };
    const { body } = await send(`POST ${REGISTER}/email/send`, { body: { email: EMAIL }, headers });
    await send(`POST ${REGISTER}/email/verify`, {
      headers,
      body: {
        email: EMAIL,
        password: PASSWORD,
        verificationCode: observed.codeFor(EMAIL),
        contactVerificationId: body['contactVerificationId'],
        countryOfResidence: 'US',
        allowMarketing: true,
        allowSms: false,
      },
    });
    expect(mock.users.get(EMAIL).environment).toBe('us');
    expect(observed.state.registrations[0]).toMatchObject({
      allowMarketing: true,
      allowSms: false,
    });
  });

  it('refuses an old bearer on a step, although no step needs one', async () => {
    const { send } = await setUpObserved();
    const sent = { body: { email: EMAIL }, token: 'old' };
    expect((await send(`POST ${REGISTER}/email/send`, sent)).status).toBe(401);
  });

  it('lists countries, states, links and config for a form', async () => {
    const { send } = await setUpObserved();
    const { status, body } = await send('GET /v1/auth/settings');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['countries', 'usStates', 'links', 'config']);
    expect(body['countries']).toContainEqual({
      id: 'pt',
      iso3166alpha2: 'PT',
      name: 'Portugal',
      callingCode: '351',
      canSignUp: true,
    });
  });

  it('continues after a snapshot in the middle is restored', async () => {
    const { mock } = await setUpObserved();
    const steps = registering(mock);
    await steps.sendEmail();
    const snapshot = mock.snapshot();
    await steps.verifyEmail();
    mock.restore(snapshot);
    expect(mock.users.has(EMAIL)).toBe(false);
    expect((await steps.verifyEmail()).status).toBe(200);
  });
});
