import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createRegistration } from '../../src/observed/registration/create-registration.js';
import type { RegistrationProgress } from '../../src/observed/registration/progress.js';
import { json, rejection } from '../support/clients.js';
import {
  EMAIL,
  PASSWORD,
  REGISTRATION_KEY,
  setUpRegistration,
} from './registration-flow-support.js';

const stepOf = (progress: RegistrationProgress) =>
  progress.status === 'in_progress' ? progress.step : progress.status;

const lost = (end: string) => async (path: string, send: () => Promise<Response>) => {
  const response = await send();
  if (path.endsWith(end)) throw new TypeError('Network request failed');
  return response;
};
const failing =
  (end: string, response: () => Response) => (path: string, send: () => Promise<Response>) =>
    path.endsWith(end) ? Promise.resolve(response()) : send();
const TYPES = [
  ...(['eSignAct', 'termsAndPrivacy', 'marketingNotifications'] as const),
  ...(['smsNotifications', 'emailNotifications'] as const),
];
const thrown = (): never => {
  throw new Error('the text of the getter');
};
const LOOP: unknown[] = [];
LOOP.push(LOOP);
const html = (status: number) =>
  new Response('<html>', { status, headers: { 'content-type': 'text/html' } });

describe('a registration', () => {
  it('leads from an e-mail address to a user with a token, in the documented order', async () => {
    const { steps, open, platform: client, user, mock, ORDER } = await setUpRegistration();
    const all = steps(open());
    const seen: string[] = [];
    let last: RegistrationProgress | undefined;
    for (const name of ORDER) {
      last = await all[name]();
      seen.push(stepOf(last));
    }
    expect(seen).toEqual([
      ...['email_code', 'phone', 'phone_code', 'identity', 'identity', 'consent', 'address'],
      ...['link_consent', 'registered'],
    ]);
    if (last?.status !== 'registered') throw new Error('not registered');
    expect(last.userId).toBe(user().id);
    const me = await client.withAccessToken(last.accessToken).user.get();
    expect(me.email).toBe(EMAIL);
    const { body } = mock.requests.only({ operation: 'consent.createOnboarding' });
    expect(Object(body)['policyType']).toBe('global');
    expect(mock.state.consentSets?.[0]).toMatchObject({ userId: user().id });
  });

  it('asks a US resident for a mailing address only when it differs', async () => {
    for (const isSameMailingAddress of [true, false]) {
      const { runUntil, mock } = await setUpRegistration('US');
      const { submitAddress, submitMailingAddress, linkConsent } = await runUntil('submitAddress');
      const after = await submitAddress({ isSameMailingAddress });
      expect(stepOf(after)).toBe(isSameMailingAddress ? 'link_consent' : 'mailing_address');
      if (!isSameMailingAddress) expect(stepOf(await submitMailingAddress())).toBe('link_consent');
      expect(stepOf(await linkConsent())).toBe('registered');
      const { body } = mock.requests.only({ operation: 'consent.createOnboarding' });
      expect(Object(body)['policyType']).toBe('US');
    }
  });

  it('sends isSameMailingAddress: true outside the US', async () => {
    const { runUntil, mock } = await setUpRegistration();
    const { submitAddress } = await runUntil('submitAddress');
    await submitAddress();
    const { body } = mock.requests.only({ operation: 'user.registration.submitAddress' });
    expect(body).toMatchObject({ isSameMailingAddress: true });
  });

  it('has no consent steps when consents is false', async () => {
    const { runUntil } = await setUpRegistration('PT', { consents: false });
    const { submitPersonalDetails, submitAddress } = await runUntil('submitPersonalDetails');
    expect(stepOf(await submitPersonalDetails())).toBe('address');
    expect(stepOf(await submitAddress())).toBe('registered');
  });

  it('records consents through the functions of the app', async () => {
    const calls: unknown[] = [];
    const { runUntil, user } = await setUpRegistration('PT', {
      consents: {
        create: async ({ policyType }) => {
          calls.push(policyType);
          return { consentSetId: 'set-1' };
        },
        link: async (ids) => calls.push(ids),
      },
    });
    const { linkConsent } = await runUntil('linkConsent');
    expect(stepOf(await linkConsent())).toBe('registered');
    expect(calls).toEqual(['global', { consentSetId: 'set-1', userId: user().id }]);
  });

  it('verifies the phone also when the response to the code was lost', async () => {
    const { runUntil, setIntercept, count } = await setUpRegistration();
    const { sendPhoneCode, verifyPhone, flow } = await runUntil('sendPhoneCode');
    setIntercept(lost('/phone/send'));
    expect(await rejection(sendPhoneCode())).toMatchObject({ outcome: 'unknown' });
    expect(stepOf(await flow.progress())).toBe('phone');
    setIntercept((_, send) => send());
    expect(stepOf(await verifyPhone())).toBe('identity');
    expect(count('user.registration.sendPhoneCode')).toBe(1);
  });

  it('shows its step while a request is running, and then goes on', async () => {
    const { runUntil, setIntercept } = await setUpRegistration();
    const { verifyEmail, flow } = await runUntil('verifyEmail');
    let isSent = () => {};
    let respond = () => {};
    const sent = new Promise<void>((resolve) => {
      isSent = resolve;
    });
    setIntercept(async (_, send) => {
      const response = await send();
      isSent();
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      return response;
    });
    const verified = verifyEmail();
    await sent;
    expect(stepOf(await flow.progress())).toBe('email_code');
    respond();
    expect(stepOf(await verified)).toBe('phone');
    expect(stepOf(await flow.progress())).toBe('phone');
  });

  it('sends each input as it was when its step began', async () => {
    const { open, steps, setIntercept, mock, observed } = await setUpRegistration('US');
    const flow = open();
    /** Runs a step whose form the user empties at once, and then while the request is in flight. */
    const emptied = async <Form extends object>(
      step: (form: Form) => Promise<RegistrationProgress>,
      form: Form,
      other: object,
    ) => {
      const change = () => void Object.assign(form, other);
      setIntercept(async (_, send) => {
        const response = await send();
        change();
        return response;
      });
      const progress = step(form);
      change();
      return progress;
    };
    await emptied(flow.sendEmailCode, { email: EMAIL }, { email: '' });
    await emptied(
      flow.verifyEmail,
      {
        email: EMAIL,
        password: PASSWORD,
        verificationCode: observed.codeFor(EMAIL) ?? '',
        countryOfResidence: 'US',
        allowMarketing: false,
        allowSms: true,
      },
      { password: '', countryOfResidence: 'PT' },
    );
    const phone = { phoneCountryCode: '+351', phoneNumber: '912345678' };
    await emptied(flow.sendPhoneCode, { ...phone }, { phoneNumber: '' });
    const verificationCode = observed.codeFor('+351912345678') ?? '';
    await emptied(flow.verifyPhone, { ...phone, verificationCode }, { verificationCode: '' });
    await steps(flow).verifyIdentity();
    const details = {
      firstName: 'Grace',
      lastName: 'Hopper',
      dateOfBirth: '1980-12-09',
      countryOfNationality: 'PT',
      ssn: '123456789',
    };
    await emptied(flow.submitPersonalDetails, details, { ssn: '' });
    const metadata = { version: ['1'] };
    const consents = TYPES.map((consentType) => ({
      consentType,
      consentStatus: 'denied' as 'denied' | 'granted',
      metadata,
    }));
    const recording = flow.recordConsent({ tenantId: 'tenant-1', consents });
    for (const consent of consents) consent.consentStatus = 'granted';
    consents.length = 1;
    metadata.version[0] = '2';
    expect(stepOf(await recording)).toBe('address');
    const address = { addressLine1: '1 Road', city: 'Reno', zip: '89501', usState: 'NV' };
    const other = { isSameMailingAddress: true, city: '' };
    const submitted = { ...address, isSameMailingAddress: false };
    expect(stepOf(await emptied(flow.submitAddress, submitted, other))).toBe('mailing_address');
    const mailed = await emptied(flow.submitMailingAddress, { ...address }, { city: '' });
    expect(stepOf(mailed)).toBe('link_consent');
    const { body } = mock.requests.only({ operation: 'consent.createOnboarding' });
    const sent = { consentStatus: 'denied', metadata: { version: ['1'] } };
    expect(body).toMatchObject({ policyType: 'US', consents: TYPES.map(() => sent) });
  });

  it.each([
    ['a getter that throws', Object.defineProperty({}, 'email', { get: thrown, enumerable: true })],
    ['nothing', undefined],
    ['a list that contains itself', { email: LOOP }],
    ['an instance of a class inside', { email: new Date(0) }],
  ])('refuses %s in place of an input, and the step stays', async (_, input) => {
    const { runUntil, mock } = await setUpRegistration();
    const { flow } = await runUntil('verifyEmail');
    const sent = mock.requests.length;
    for (const step of [flow.sendEmailCode, flow.verifyEmail] as const) {
      expect(await rejection(step(input as never))).toMatchObject({
        name: 'RequestValidationError',
        outcome: 'not_sent',
      });
      expect(stepOf(await flow.progress())).toBe('email_code');
    }
    expect(mock.requests).toHaveLength(sent);
  });

  it('refuses a step out of order, and sends nothing', async () => {
    const { steps, open, mock } = await setUpRegistration();
    const { submitAddress, linkConsent, verifyEmail } = steps(open());
    for (const step of [submitAddress, linkConsent, verifyEmail]) {
      expect(await rejection(step())).toMatchObject({ option: 'step', outcome: 'not_sent' });
    }
    expect(mock.requests).toHaveLength(0);
  });

  it('runs one step at a time', async () => {
    const { steps, open, count } = await setUpRegistration();
    const { sendEmailCode } = steps(open());
    const [one, other] = await Promise.allSettled([sendEmailCode(), sendEmailCode()]);
    expect(one.status).toBe('fulfilled');
    expect(other).toMatchObject({ status: 'rejected', reason: { option: 'step' } });
    expect(count('user.registration.sendEmailCode')).toBe(1);
  });

  it('refuses an invalid region', async () => {
    const { platform: client } = await setUpRegistration();
    expect(() => createRegistration(client, { region: 'eu' as 'us' })).toThrow(/region/);
  });
});

describe('a registration ends with a login', () => {
  it('when the address has an account', async () => {
    const { mock, runUntil, store } = await setUpRegistration();
    mock.users.add({ email: EMAIL });
    const { verifyEmail, flow } = await runUntil('verifyEmail');
    const end = { status: 'log_in', reason: 'has_account', consentSetId: undefined };
    expect(await verifyEmail()).toEqual(end);
    expect(await flow.progress()).toEqual(end);
    expect(store.entries.get(REGISTRATION_KEY)).not.toContain('contactVerificationId');
  });

  it.each([
    ['a 500 after the user was created', 500],
    ['a 502', 502],
    ['a 408', 408],
  ])('after %s, and does not send the address again', async (_, status) => {
    const { runUntil, setIntercept, count, platform: client, user } = await setUpRegistration();
    const { submitAddress } = await runUntil('submitAddress');
    setIntercept(async (path, send) => {
      const response = await send();
      return path.endsWith('/address') ? json({ message: 'oops' }, status) : response;
    });
    const end = await submitAddress();
    expect(end).toMatchObject({ status: 'log_in', reason: 'outcome_unknown' });
    setIntercept((__, send) => send());
    expect(await submitAddress()).toEqual(end);
    expect(count('user.registration.submitAddress')).toBe(1);
    const login = await client.auth.login({ email: EMAIL, password: PASSWORD });
    expect(login.phase ?? null).toBeNull();
    if (end.status !== 'log_in' || !end.consentSetId) throw new Error('no consents');
    const ids = { consentSetId: end.consentSetId, userId: user().id };
    expect((await client.consent.linkUser(ids)).userId).toBe(user().id);
  });

  it.each([
    '/email/verify',
    '/address',
    '/mailing-address',
  ])('after a lost response to %s', async (path) => {
    const { runUntil, setIntercept } = await setUpRegistration('US');
    const { flow, verifyEmail, submitAddress, submitMailingAddress } = await runUntil(
      path === '/email/verify' ? 'verifyEmail' : 'submitAddress',
    );
    if (path === '/mailing-address') await submitAddress({ isSameMailingAddress: false });
    setIntercept(lost(path));
    const steps = {
      '/email/verify': verifyEmail,
      '/address': submitAddress,
      '/mailing-address': submitMailingAddress,
    };
    const end = await steps[path as keyof typeof steps]();
    expect(end).toMatchObject({ status: 'log_in', reason: 'outcome_unknown' });
    expect(await flow.progress()).toEqual(end);
  });

  it('when the app died before the response to the address came', async () => {
    const { runUntil, open, setIntercept, count } = await setUpRegistration();
    const { submitAddress } = await runUntil('submitAddress');
    setIntercept(async (_, send) => {
      await send();
      return new Promise<never>(() => {});
    });
    submitAddress().catch(() => {});
    await expect.poll(() => count('user.registration.submitAddress')).toBe(1);
    const again = open();
    expect(await again.progress()).toMatchObject({ status: 'log_in', reason: 'outcome_unknown' });
    const { submitAddress: second } = {
      submitAddress: () => again.submitAddress({ addressLine1: '1', city: 'a', zip: '1' }),
    };
    await second();
    expect(count('user.registration.submitAddress')).toBe(1);
  });

  it('when the token was lost with the app, and the consents are linked first', async () => {
    const { runUntil, open, mock, user } = await setUpRegistration();
    await runUntil('linkConsent');
    const again = open();
    expect(stepOf(await again.progress())).toBe('link_consent');
    expect(await again.linkConsent()).toMatchObject({ status: 'log_in', reason: 'no_token' });
    expect(mock.state.consentSets?.[0]).toMatchObject({ userId: user().id });
  });

  it('and not after a refusal in any form, which is thrown', async () => {
    const { runUntil, setIntercept, flow } = await (async () => {
      const all = await setUpRegistration();
      return { ...all, flow: all.open() };
    })();
    const { submitAddress } = await runUntil('submitAddress', flow);
    for (const response of [
      () => json({ message: 'zip is wrong' }, 422),
      () => new Response('zip is wrong', { status: 400 }),
    ]) {
      setIntercept(failing('/address', response));
      expect(await rejection(submitAddress())).toMatchObject({
        name: expect.stringMatching(/Error$/),
      });
      expect(stepOf(await flow.progress())).toBe('address');
    }
    setIntercept(failing('/address', () => html(403)));
    expect(await submitAddress()).toMatchObject({ reason: 'outcome_unknown' });
  });

  it.each([
    ['an empty response', () => new Response(null, { status: 400 })],
    ['an empty 401', () => new Response(null, { status: 401 })],
    ['a page without a type', () => new Response('<html>', { status: 403 })],
    [
      'a page in JSON’s name',
      () => new Response('<p>', { status: 422, headers: { 'content-type': 'application/json' } }),
    ],
  ])('and sends no step again that may have created the user: %s', async (_, response) => {
    const { runUntil, setIntercept, count, open } = await setUpRegistration();
    const flow = open();
    const { submitAddress } = await runUntil('submitAddress', flow);
    setIntercept(failing('/address', response));
    expect(await submitAddress()).toMatchObject({ reason: 'outcome_unknown' });
    setIntercept((_, send) => send());
    expect(await submitAddress()).toMatchObject({ reason: 'outcome_unknown' });
    expect(count('user.registration.submitAddress')).toBe(0);
  });

  it('and restarts when the user asks for it', async () => {
    const { mock, runUntil, store } = await setUpRegistration();
    mock.users.add({ email: EMAIL });
    const { verifyEmail, flow } = await runUntil('verifyEmail');
    await verifyEmail();
    expect(stepOf(await flow.restart())).toBe('email');
    expect(store.entries.size).toBe(0);
  });
});

describe('a code that is too old', () => {
  it.each([
    'Invalid or expired contact verification ID',
    'Verification code has expired',
  ])('leads back to the e-mail step: %s', async (message) => {
    for (const status of [400, 404, 422]) {
      const { runUntil, setIntercept, flow } = await (async () => {
        const all = await setUpRegistration();
        return { ...all, flow: all.open() };
      })();
      const { verifyEmail, sendEmailCode } = await runUntil('verifyEmail', flow);
      setIntercept(failing('/email/verify', () => json({ message }, status)));
      const back = { status: 'in_progress', step: 'email', reason: 'code_expired' };
      expect(await verifyEmail()).toEqual(back);
      setIntercept((_, send) => send());
      await sendEmailCode();
      expect(stepOf(await verifyEmail())).toBe('phone');
    }
  });

  it('is not assumed when the service only refuses the code: the user may correct it', async () => {
    const { runUntil } = await setUpRegistration();
    const { verifyEmail, flow } = await runUntil('verifyEmail');
    const error = await rejection(verifyEmail({ verificationCode: '000001' }));
    expect(error).toMatchObject({ outcome: 'rejected' });
    expect(stepOf(await flow.progress())).toBe('email_code');
    expect(stepOf(await verifyEmail())).toBe('phone');
  });

  it('is never assumed after a 5xx', async () => {
    const { runUntil, setIntercept } = await setUpRegistration();
    const { verifyEmail } = await runUntil('verifyEmail');
    const message = 'Verification code has expired';
    setIntercept(failing('/email/verify', () => json({ message }, 500)));
    expect(await verifyEmail()).toMatchObject({ reason: 'outcome_unknown' });
  });
});

describe('the identity session', () => {
  it('is created once, however often the page is asked for', async () => {
    const { runUntil, count } = await setUpRegistration();
    const { flow } = await runUntil('verifyIdentity');
    const { sessionUrl } = await flow.startVerification();
    expect((await flow.startVerification()).sessionUrl).toBe(sessionUrl);
    expect(count('user.registration.startVerification')).toBe(1);
    expect((await flow.startVerification({ isNew: true })).sessionUrl).not.toBe(sessionUrl);
  });

  it.each([
    'PENDING',
    'SOMETHING_NEW',
    null,
  ])('is not created again because the state is %s', async (verificationState) => {
    const { runUntil, open, count, setIntercept } = await setUpRegistration();
    await runUntil('verifyIdentity');
    setIntercept(async (_, send) => {
      const response = await send();
      return json({ ...(await response.json()), verificationState }, response.status);
    });
    expect(stepOf(await open().resume())).toBe('identity');
    expect(count('user.registration.startVerification')).toBe(0);
  });

  it('that is unfinished refuses the details, and the step stays', async () => {
    const { runUntil, mock, user } = await setUpRegistration();
    const { flow, submitPersonalDetails } = await runUntil('verifyIdentity');
    await flow.startVerification();
    expect(await submitPersonalDetails()).toEqual({
      status: 'in_progress',
      step: 'identity',
      reason: 'not_verified',
    });
    mock.completeVerification(user());
    mock.advance('10 minutes');
    expect(stepOf(await submitPersonalDetails())).toBe('consent');
  });

  it.each([
    ['by its code', { code: 'USER_NOT_VERIFIED', message: 'no' }],
    ['by a text', { message: 'The user has not been verified yet' }],
  ])('is reported as unfinished %s', async (_, body) => {
    const { runUntil, setIntercept } = await setUpRegistration();
    const { submitAddress } = await runUntil('submitAddress');
    setIntercept(failing('/address', () => json(body, 403)));
    expect(await submitAddress()).toMatchObject({ step: 'address', reason: 'not_verified' });
  });

  it('that the address is refused for can be opened again, also after a restart', async () => {
    const { runUntil, setIntercept, open } = await setUpRegistration();
    const { flow, submitAddress } = await runUntil('submitAddress');
    setIntercept(failing('/address', () => json({ code: 'USER_NOT_VERIFIED' }, 403)));
    expect(await submitAddress()).toMatchObject({ step: 'address', reason: 'not_verified' });
    for (const one of [flow, open()]) {
      const { sessionUrl } = await one.startVerification({ isNew: true });
      expect(sessionUrl).toMatch(/^https:/);
    }
  });
});

describe('consents', () => {
  it('that were recorded by a lost request are found', async () => {
    const { runUntil, setIntercept, count } = await setUpRegistration();
    const { recordConsent, linkConsent, submitAddress } = await runUntil('recordConsent');
    setIntercept(async (path, send) => {
      const response = await send();
      if (path === '/v2/consent/onboarding') throw new TypeError('Network request failed');
      return response;
    });
    expect(stepOf(await recordConsent())).toBe('address');
    expect(count('consent.createOnboarding')).toBe(1);
    await submitAddress();
    expect(stepOf(await linkConsent())).toBe('registered');
  });

  it('that exist already are found', async () => {
    const { runUntil, open, steps, store } = await setUpRegistration();
    const { recordConsent } = await runUntil('recordConsent');
    const before = store.entries.get(REGISTRATION_KEY) ?? '';
    await recordConsent();
    store.entries.set(REGISTRATION_KEY, before);
    expect(stepOf(await steps(open()).recordConsent())).toBe('address');
  });

  it('that are refused are reported', async () => {
    const { runUntil, setIntercept } = await setUpRegistration();
    const { recordConsent, flow } = await runUntil('recordConsent');
    setIntercept(failing('/v2/consent/onboarding', () => json({ error: 'no' }, 400)));
    expect(await rejection(recordConsent())).toMatchObject({ status: 400 });
    expect(stepOf(await flow.progress())).toBe('consent');
  });

  it('that are linked already count as linked', async () => {
    const { runUntil, platform: client, user, store } = await setUpRegistration();
    const { linkConsent } = await runUntil('linkConsent');
    const { consentSetId } = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    await client.consent.linkUser({ consentSetId, userId: user().id });
    expect(stepOf(await linkConsent())).toBe('registered');
  });

  it('that are linked to another user are reported, and the user is not registered', async () => {
    const { runUntil, platform: client, mock, store } = await setUpRegistration();
    const { linkConsent, flow } = await runUntil('linkConsent');
    const { consentSetId } = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    const other = mock.users.add({ email: 'other@example.com' });
    await client.consent.linkUser({ consentSetId, userId: other.id });
    for (const _ of ['first', 'second']) {
      expect(await rejection(linkConsent())).toMatchObject({ code: 'consent_already_linked' });
      expect(stepOf(await flow.progress())).toBe('link_consent');
    }
  });

  it.each([
    ['another set', { consentSetId: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }],
    ['no user', { userId: null }],
    ['no sets', undefined],
  ])('that are linked already do not count as linked if the lookup shows %s', async (_, changes) => {
    const { runUntil, setIntercept, platform: client, user, store } = await setUpRegistration();
    const { linkConsent } = await runUntil('linkConsent');
    const { consentSetId } = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    await client.consent.linkUser({ consentSetId, userId: user().id });
    setIntercept((path, send) => {
      if (!path.startsWith('/v2/consent/onboarding/') || path.endsWith(consentSetId)) return send();
      const set = changes && { consentSetId, userId: user().id, ...changes };
      return Promise.resolve(json({ consentSets: set && [set] }));
    });
    expect(await rejection(linkConsent())).toMatchObject({ code: 'consent_already_linked' });
  });

  it.each([
    ['is refused', () => json({ message: 'Not authorized' }, 403), 'consent_already_linked'],
    ['breaks off', () => Promise.reject(new TypeError('lost')), 'connection_failed'],
  ] as const)('that are linked already, while the look-up %s, are reported as %s', async (_, look, code) => {
    const { runUntil, setIntercept, platform: client, user, store } = await setUpRegistration();
    const { linkConsent, flow } = await runUntil('linkConsent');
    const { consentSetId } = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    await client.consent.linkUser({ consentSetId, userId: user().id });
    setIntercept((path, send) => {
      const isLookUp = path.startsWith('/v2/consent/onboarding/') && !path.endsWith(consentSetId);
      return isLookUp ? Promise.resolve(look()) : send();
    });
    expect(await rejection(linkConsent())).toMatchObject({ code });
    expect(stepOf(await flow.progress())).toBe('link_consent');
  });

  describe('that exist already', () => {
    const choice = (marketing: 'granted' | 'denied') =>
      (
        [
          ['marketingNotifications', marketing],
          ['termsAndPrivacy', 'granted'],
          ['smsNotifications', 'granted'],
          ['emailNotifications', 'granted'],
        ] as const
      ).map(([consentType, consentStatus]) => ({ consentType, consentStatus }));

    it('with other choices are not taken for those of the user: the step stays', async () => {
      const { runUntil, open, store } = await setUpRegistration();
      const { flow } = await runUntil('recordConsent');
      const before = store.entries.get(REGISTRATION_KEY) ?? '';
      await flow.recordConsent({ tenantId: 'tenant-1', consents: choice('denied') });
      store.entries.set(REGISTRATION_KEY, before);
      const again = open();
      const recorded = again.recordConsent({ tenantId: 'tenant-1', consents: choice('granted') });
      expect(await rejection(recorded)).toMatchObject({ code: 'consent_set_exists' });
      expect(stepOf(await again.progress())).toBe('consent');
      // In another order they are the same.
      const same = await again.recordConsent({
        tenantId: 'tenant-1',
        consents: choice('denied').reverse(),
      });
      expect(stepOf(same)).toBe('address');
    });

    it.each([
      ['have another policy', { policyType: 'US', consents: choice('granted') }],
      ['lack one of them', { policyType: 'global', consents: choice('granted').slice(1) }],
      ['are not shown', { policyType: 'global', consents: null }],
    ])('are not taken for those of the user if they %s', async (_, set) => {
      const { runUntil, setIntercept } = await setUpRegistration();
      const { flow } = await runUntil('recordConsent');
      const consentSetId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
      setIntercept(async (path, send) => {
        if (path === '/v2/consent/onboarding') return json({ error: 'exists', details: [] }, 409);
        if (!path.startsWith('/v2/consent/onboarding/')) return send();
        return json({ consentSets: [{ consentSetId, ...set }] });
      });
      const recorded = flow.recordConsent({ tenantId: 'tenant-1', consents: choice('granted') });
      expect(await rejection(recorded)).toMatchObject({ code: 'consent_set_exists' });
    });

    it('are found when the policy is in another case or not shown', async () => {
      for (const policyType of ['GLOBAL', null]) {
        const { runUntil, setIntercept } = await setUpRegistration();
        const { flow } = await runUntil('recordConsent');
        const consentSetId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
        setIntercept(async (path) =>
          path === '/v2/consent/onboarding'
            ? json({ error: 'exists', details: [] }, 409)
            : json({ consentSets: [{ consentSetId, policyType, consents: choice('granted') }] }),
        );
        const recorded = flow.recordConsent({ tenantId: 'tenant-1', consents: choice('granted') });
        expect(stepOf(await recorded)).toBe('address');
      }
    });
  });
});

describe('the store of a registration', () => {
  it('never holds anything but the step and its ids', async () => {
    const { runUntil, store } = await setUpRegistration('US');
    const { linkConsent } = await runUntil('linkConsent');
    await linkConsent();
    const names = new Set(store.written.flatMap((text) => Object.keys(JSON.parse(text))));
    expect([...names].sort()).toEqual([
      'consentSetId',
      'contactVerificationId',
      'isInUs',
      'isSending',
      'onboardingId',
      'region',
      'step',
      'userId',
      'v',
    ]);
    for (const personal of [EMAIL, PASSWORD, 'Grace', '912345678', 'Road', '123456789']) {
      expect(store.written.join()).not.toContain(personal);
    }
    expect(store.entries.size).toBe(0);
  });

  it('forgets the id of the code as soon as the phone is verified', async () => {
    const { runUntil, store } = await setUpRegistration();
    const { verifyPhone } = await runUntil('verifyPhone');
    expect(store.entries.get(REGISTRATION_KEY)).toContain('contactVerificationId');
    await verifyPhone();
    expect(store.entries.get(REGISTRATION_KEY)).not.toContain('contactVerificationId');
  });

  it('that fails before the address is sent stops it', async () => {
    const { runUntil, store, count } = await setUpRegistration();
    const { submitAddress, flow } = await runUntil('submitAddress');
    store.failing.set = true;
    expect(await rejection(submitAddress())).toMatchObject({ option: 'store' });
    expect(count('user.registration.submitAddress')).toBe(0);
    store.failing.set = false;
    expect(stepOf(await flow.progress())).toBe('address');
    expect(stepOf(await submitAddress())).toBe('link_consent');
  });

  it('that fails after a step does not make the app repeat it', async () => {
    const { runUntil, store, count } = await setUpRegistration();
    const { verifyPhone, flow } = await runUntil('verifyPhone');
    store.failing.set = true;
    expect(stepOf(await verifyPhone())).toBe('identity');
    expect(stepOf(await flow.progress())).toBe('identity');
    expect(count('user.registration.verifyPhone')).toBe(1);
  });

  it.each([
    ['not JSON', '{'],
    ['of another version', '{"v":2,"region":"global","step":"address"}'],
    ['of another region', '{"v":1,"region":"us","step":"address"}'],
    ['at an unknown step', '{"v":1,"region":"global","step":"coffee"}'],
    [
      'with an id that is not a text',
      '{"v":1,"region":"global","step":"address","onboardingId":7}',
    ],
  ])('with a text %s makes the registration start at the beginning', async (_, text) => {
    const { store, open } = await setUpRegistration();
    store.entries.set(REGISTRATION_KEY, text);
    expect(stepOf(await open().progress())).toBe('email');
  });

  it('reports no text of its error', async () => {
    const { runUntil, store } = await setUpRegistration();
    await runUntil('verifyPhone');
    const { onboardingId } = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    const { open } = { open: () => runUntil('sendPhoneCode') };
    store.failing.get = true;
    const error = await rejection(open());
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(onboardingId);
  });
});

describe('a result of a registration', () => {
  it('prints neither ids nor token nor page', async () => {
    const { runUntil, store } = await setUpRegistration();
    const { flow, linkConsent } = await runUntil('linkConsent');
    const stored = JSON.parse(store.entries.get(REGISTRATION_KEY) ?? '');
    const page = await flow.startVerification();
    const end = await linkConsent();
    if (end.status !== 'registered') throw new Error('not registered');
    const shown = inspect([flow, page, end], { depth: 9, showHidden: true, getters: true });
    for (const secret of [stored.onboardingId, page.sessionUrl, end.accessToken]) {
      expect(secret).toBeTypeOf('string');
      expect(shown + JSON.stringify([flow, page, end])).not.toContain(secret);
    }
  });
});
